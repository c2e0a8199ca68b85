// Keeps the text that is being typed in an editor from going to the form with each key, which would draw the whole form
// again. It goes there after a pause, when the editor loses the focus, and before the form is saved.

import { useEffect, useRef, useState } from 'react'

/** The milliseconds without a key after which text goes to the form. */
const pause = 300

const releases = new Set<() => void>()

/** Brings what is still held in editors into their forms. Called before values of a form are read. */
export function releaseHeldChanges(): void {
  for (const release of releases) release()
}

export interface HeldChange {
  /** Says that something was typed. */
  readonly hold: () => void
  /** Sends at once what was typed, if anything was. */
  readonly release: () => void
}

/**
 * Calls `send` some time after `hold`. What is held when the input goes away is dropped: its place in the form may be that
 * of another value by then.
 */
export function useHeldChange(send: () => void): HeldChange {
  const latest = useRef(send)
  latest.current = send
  const [{ hold, release, drop }] = useState(() => makeHolder(() => latest.current()))
  useEffect(() => {
    releases.add(release)
    return () => {
      releases.delete(release)
      drop()
    }
  }, [release, drop])
  return { hold, release }
}

function makeHolder(send: () => void): HeldChange & { readonly drop: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  const drop = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  const release = () => {
    if (timer === null) return
    drop()
    send()
  }
  const hold = () => {
    drop()
    timer = setTimeout(release, pause)
  }
  return { hold, release, drop }
}
