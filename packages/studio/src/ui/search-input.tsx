// An input in which something is searched.

import type { ReactNode } from 'react'
import { Input, SearchField } from 'react-aria-components'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './field.module.css'

interface SearchInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly icon: ReactNode
  readonly clearIcon: ReactNode
}

export function SearchInput({ label, value, onChange, icon, clearIcon }: SearchInputProps) {
  return (
    <SearchField aria-label={label} value={value} onChange={onChange} className={styles.field!}>
      <div className={classNames(styles.input, styles.group)}>
        {icon}
        <Input className={classNames(styles.inner, styles.search)} placeholder={label} />
        {value !== '' && (
          <Button look="quiet" isSmall isIcon>
            {clearIcon}
          </Button>
        )}
      </div>
    </SearchField>
  )
}
