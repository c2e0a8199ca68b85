#!/usr/bin/env node
// The command `plinth`. Loads everything else, and names what is not installed: the kernel belongs to the application,
// and not every tool that installs packages adds the peers of one.

/** A command that has ended must not wait for what code of the application has left open, such as a timer or a connection. */
const maxTime = 1000

const loaded = await import('./index.ts').catch((error: Error & { readonly code?: unknown }) => {
  const [, missing] = /^Cannot find package '([^']+)'/.exec(error.message) ?? []
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || missing === undefined) throw error
  console.error(`plinth: needs the package ${missing}, which the application does not have: npm install ${missing}`)
  return null
})
// The first process of a container receives no signal that it does not listen to: the system ends all others by itself.
if (process.pid === 1) loaded?.endAtSignals()
process.exitCode = loaded === null ? 1 : await loaded.run(process.argv.slice(2))
setTimeout(() => process.exit(), maxTime).unref()
