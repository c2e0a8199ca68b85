// Shows a component that the model or its zone does not have any more. It is kept as it is.

import { useTranslations } from 'use-intl'
import { useFormReader } from '../../form/context.tsx'
import inputStyles from '../inputs.module.css'
import styles from './items.module.css'

export function LockedItem({ path, uid }: { readonly path: string; readonly uid: string }) {
  const t = useTranslations('items')
  const { __component, ...values } = (useFormReader()(path) ?? {}) as Readonly<Record<string, unknown>>
  return (
    <>
      <p className={styles.hint}>{t('unknownText', { component: uid })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys */}
      <section className={inputStyles.locked} tabIndex={0} aria-label={uid}>
        {JSON.stringify(values, null, 2)}
      </section>
    </>
  )
}
