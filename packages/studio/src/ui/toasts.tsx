// Short messages that go by themselves: that something was done. What must be read is a notice on the page.

import { Check } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import styles from './toasts.module.css'

interface Toast {
  readonly id: number
  readonly text: string
}

const milliseconds = 4000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a message for some seconds. */
export function toast(text: string): void {
  lastId++
  const id = lastId
  change([...toasts.slice(-2), { id, text }])
  setTimeout(() => change(toasts.filter(one => one.id !== id)), milliseconds)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place of the messages, once in a page. */
export function Toasts() {
  const currentToasts = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className={styles.region} role="status">
      {currentToasts.map(({ id, text }) => (
        <div key={id} className={styles.toast}>
          <Check aria-hidden="true" />
          {text}
        </div>
      ))}
    </div>
  )
}
