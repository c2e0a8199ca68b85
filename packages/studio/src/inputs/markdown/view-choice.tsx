// The choice between the text and how it will look.

import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import styles from './markdown.module.css'

export type Shown = 'text' | 'preview'

interface ViewChoiceProps {
  readonly shown: Shown
  readonly onChange: (side: Shown) => void
}

export function ViewChoice({ shown, onChange }: ViewChoiceProps) {
  const t = useTranslations('markdown')
  return (
    <ToggleButtonGroup
      className={styles.choice!}
      aria-label={t('view')}
      disallowEmptySelection
      selectedKeys={[shown]}
      onSelectionChange={keys => onChange([...keys][0] as Shown)}
    >
      <ToggleButton id="text" className={styles.chosen!}>
        {t('write')}
      </ToggleButton>
      <ToggleButton id="preview" className={styles.chosen!}>
        {t('preview')}
      </ToggleButton>
    </ToggleButtonGroup>
  )
}
