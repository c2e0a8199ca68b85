// The rows of a form, or of a component in one.

import type { FormRow } from '../model/form-tree.ts'
import { Field } from './field.tsx'
import styles from './form.module.css'

interface RowsProps {
  readonly rows: readonly FormRow[]
  /** Stands before the names of the attributes: `sections.0.` */
  readonly prefix?: string
}

export function FormRows({ rows, prefix = '' }: RowsProps) {
  return (
    <div className={styles.rows}>
      {rows.map(row => (
        <div key={row[0]!.attribute.name} className={styles.row}>
          {row.map(field => (
            <Field key={field.attribute.name} field={field} path={`${prefix}${field.attribute.name}`} />
          ))}
        </div>
      ))}
    </div>
  )
}
