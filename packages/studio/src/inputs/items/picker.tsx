// The dialog in which a component is chosen for a zone: all that it takes, by category, with a search over them.

import { SearchIcon } from 'lucide-react'
import { useState } from 'react'
import {
  Autocomplete,
  Header,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  SearchField,
} from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { groupComponents } from '../../model/component-groups.ts'
import type { Component } from '../../model/types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Glyph } from './glyph.tsx'
import styles from './picker.module.css'

interface PickerProps {
  readonly components: readonly Component[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onPick: (component: Component) => void
}

export function Picker({ components, isOpen, onClose, onPick }: PickerProps) {
  const t = useTranslations('items')
  return (
    <Dialog title={t('pick')} isOpen={isOpen} onClose={onClose}>
      <Choices components={components} onPick={onPick} />
    </Dialog>
  )
}

function Choices({ components, onPick }: Pick<PickerProps, 'components' | 'onPick'>) {
  const t = useTranslations('items')
  const [text, setText] = useState('')
  const pick = (uid: string) => {
    const chosen = components.find(one => one.uid === uid)
    if (chosen !== undefined) onPick(chosen)
  }
  return (
    <div className={styles.picker}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <SearchField className={styles.search!} autoFocus>
          <Label className={styles.hidden!}>{t('search')}</Label>
          <SearchIcon aria-hidden="true" />
          <Input className={styles.input!} placeholder={t('search')} />
        </SearchField>
        <ListBox
          className={styles.choices!}
          aria-label={t('pick')}
          onAction={uid => pick(String(uid))}
          renderEmptyState={() => <p className={styles.none}>{t('noneFound')}</p>}
        >
          {groupComponents(components, text).map(group => (
            <ListBoxSection key={group.category} className={styles.group!}>
              <Header className={styles.heading!}>{group.category}</Header>
              {group.components.map(component => (
                <ListBoxItem
                  key={component.uid}
                  id={component.uid}
                  textValue={component.label}
                  className={styles.choice!}
                >
                  <Glyph component={component} />
                  <span>{component.label}</span>
                </ListBoxItem>
              ))}
            </ListBoxSection>
          ))}
        </ListBox>
      </Autocomplete>
    </div>
  )
}
