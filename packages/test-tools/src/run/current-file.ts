// Stands in for the module `tap` in test files, so that one process can run several: what a file does to the root of
// its tests belongs to the subtest of that file. It must know neither files nor processes.

import type { Test } from 'tap'

let current: Test | undefined

/** Runs what follows, and all imports of it, with this test as that of `import t from 'tap'`. */
export function setCurrentFile(test: Test): void {
  current = test
}

function currentFile(): Test {
  if (current === undefined) throw new Error('A test file was imported outside of a test run')
  return current
}

/** The root of the tests of the file that runs. */
const root: Test = new Proxy({} as Test, {
  get(_, name) {
    const test = currentFile()
    const value = Reflect.get(test, name, test)
    return typeof value === 'function' ? value.bind(test) : value
  },
  set: (_, name, value) => Reflect.set(currentFile(), name, value),
  has: (_, name) => Reflect.has(currentFile(), name),
})

export default root
