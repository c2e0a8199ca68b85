// Reports errors that no code has caught to the test that runs. It stands in for async-hook-domain, with which tap finds
// that test by async_hooks: they make each promise cost more, a tenth of the processor's time of a group. Tests of a
// process run one after the other, so the test that runs is known without them. It must not know files.

import type { Test } from 'tap'

type OnError = (error: unknown, type?: string) => void

/** The module that tap imports: each test makes one, with the function that receives errors for it. */
export class Domain {
  readonly onerror: OnError

  constructor(onerror: OnError) {
    this.onerror = onerror
  }

  /** Called at the end of a test: the test that runs is known from its events. */
  destroy(): void {}
}

let running: Test

/** Keeps `running` the innermost test that runs in `test`. */
function follow(test: Test): void {
  test.on('subtestStart', child => {
    running = child as Test
    follow(running)
  })
  // The next test may have begun already.
  test.on('subtestEnd', child => {
    if (running === child) running = test
  })
}

/** Reports the errors of this process from now on, also those of promises, to the innermost running test below `root`. */
export function reportUncaught(root: Test): void {
  running = root
  follow(root)
  // With a listener of `uncaughtException`, programs that run in the process would see that somebody handles errors.
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    if (process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0) return
    ;(running.hookDomain as Domain).onerror(error, origin)
    // The error is reported, so the process goes on.
    process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null))
  })
}
