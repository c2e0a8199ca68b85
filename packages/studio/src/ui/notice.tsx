// The messages of the panel: notices, states of entries, empty places, and waits.

import { CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './notice.module.css'

export type Tone = 'plain' | 'good' | 'warn' | 'bad'

interface NoticeProps {
  readonly tone?: Tone
  readonly children: ReactNode
}

/** A sentence about the page. A fault is read out at once. */
export function Notice({ tone = 'plain', children }: NoticeProps) {
  const Icon = tone === 'good' ? CircleCheck : tone === 'plain' ? Info : TriangleAlert
  return (
    <div
      className={classNames(styles.notice, tone !== 'plain' && styles[tone])}
      role={tone === 'bad' ? 'alert' : 'note'}
    >
      <Icon aria-hidden="true" />
      <div className={styles.body}>{children}</div>
    </div>
  )
}

/** A word about an entry. */
export function Badge({ tone = 'plain', hasDot, children }: NoticeProps & { readonly hasDot?: boolean }) {
  return (
    <span className={classNames(styles.badge, tone !== 'plain' && styles[tone], hasDot && styles.dot)}>{children}</span>
  )
}

interface EmptyProps {
  readonly icon?: ReactNode
  readonly title: ReactNode
  readonly children?: ReactNode
}

/** Shows that there is nothing to show. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      {icon}
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** Says that a page is on its way. */
export function Waiting({ label }: { readonly label: string }) {
  return (
    <div className={styles.waiting} role="status" aria-label={label}>
      <span className={styles.spinner} />
    </div>
  )
}

interface ProgressProps {
  readonly label: string
  readonly done: number
  readonly total: number
}

export function Progress({ label, done, total }: ProgressProps) {
  const id = useId()
  return (
    <div className={styles.progress}>
      <div className={styles.progressTexts}>
        <label htmlFor={id}>{label}</label>
        <span>
          {done} / {total}
        </span>
      </div>
      <progress id={id} className={styles.bar} value={done} max={total} />
    </div>
  )
}
