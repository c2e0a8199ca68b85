// Lists what needs no decision: attributes that one side alone has changed.

import { useFormatter, useTranslations } from 'use-intl'
import type { Changed } from '../../../model/conflict.ts'
import type { Attribute } from '../../../model/types.ts'
import styles from './conflict.module.css'
import { ItemChangeList } from './item-change-list.tsx'
import { hasText, ValueText } from './value-text.tsx'

export function SettledList({ conflict }: { readonly conflict: Changed }) {
  const t = useTranslations('conflict')
  const format = useFormatter()
  const { merge, base, theirValues } = conflict
  const { onlyMine, onlyTheirs } = merge
  if (onlyMine.length + onlyTheirs.length === 0) return null
  return (
    <div className={styles.settled}>
      {onlyMine.length > 0 && (
        <p>
          {t.rich('onlyMine', {
            names: format.list(onlyMine.map(({ label }) => label)),
            strong: text => <strong>{text}</strong>,
          })}
        </p>
      )}
      {onlyTheirs.length > 0 && (
        <>
          <h3>{t('onlyTheirs')}</h3>
          <dl className={styles.theirs}>
            {onlyTheirs.map(attribute => (
              <div key={attribute.name}>
                <dt>{attribute.label}</dt>
                <dd>
                  <NewValue attribute={attribute} before={base[attribute.name]} after={theirValues[attribute.name]} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </div>
  )
}

interface NewProps {
  readonly attribute: Attribute
  readonly before: unknown
  readonly after: unknown
}

function NewValue({ attribute, before, after }: NewProps) {
  if (attribute.type === 'component' || attribute.type === 'dynamiczone')
    return <ItemChangeList attribute={attribute} before={before} after={after} />
  return <ValueText attribute={attribute} value={after} other={hasText(attribute) ? before : after} />
}
