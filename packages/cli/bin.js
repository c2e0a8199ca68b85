#!/usr/bin/env node
// The command `plinth`. A file that is there before the package is built, because commands are linked first. It runs on
// every version of Node, to say which one is needed.

const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) await import('./dist/bin.js')
else {
  console.error(`plinth needs Node 22.18 or later; this is Node ${process.versions.node}`)
  process.exitCode = 1
}
