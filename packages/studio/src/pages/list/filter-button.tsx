// Adds a filter to a list: an attribute, an operator and a value.

import { ListFilter } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import type { Column } from '../../model/columns.ts'
import { type FilterInput, inputOf, type Operator, operatorsOf } from '../../model/filters.ts'
import type { ContentType } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import menuStyles from '../../ui/menu.module.css'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useColumnLabel } from './column-label.ts'
import styles from './list.module.css'
import type { EntryList } from './use-entry-list.ts'

interface FilterProps {
  readonly type: ContentType
  readonly list: EntryList
}

export function FilterButton({ type, list }: FilterProps) {
  const t = useTranslations('filter')
  const [isOpen, setOpen] = useState(false)
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button look="quiet">
        <ListFilter aria-hidden="true" />
        {t('open')}
      </Button>
      <Popover className={menuStyles.popover!} placement="bottom start" offset={4}>
        <Dialog aria-label={t('title')}>
          <FilterForm type={type} list={list} onDone={() => setOpen(false)} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function FilterForm({ type, list, onDone }: FilterProps & { readonly onDone: () => void }) {
  const t = useTranslations('filter')
  const labelOf = useColumnLabel()
  const columns = list.columns.filter(column => operatorsOf(column).length > 0)
  const [name, setName] = useState(columns[0]!.name)
  const column = columns.find(one => one.name === name)!
  const [operator, setOperator] = useState<Operator>(operatorsOf(column)[0]!)
  const [value, setValue] = useState('')
  const input = inputOf(column, operator)

  const chooseColumn = (next: string) => {
    const chosen = columns.find(one => one.name === next)!
    setName(next)
    setOperator(operatorsOf(chosen)[0]!)
    setValue('')
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    const written = input === 'none' ? '' : valueFor(input, value)
    list.change({ f: [...(list.address.f ?? []), [name, operator, written]] })
    onDone()
  }
  const isComplete = input === 'none' || value !== ''
  return (
    <form className={styles.filterForm} onSubmit={add}>
      <Select
        label={t('attribute')}
        choices={columns.map(one => ({ value: one.name, label: labelOf(one) }))}
        value={name}
        onChange={chooseColumn}
      />
      <Select
        label={t('operator')}
        choices={operatorsOf(column).map(one => ({ value: one, label: t(`operators.${one}`) }))}
        value={operator}
        onChange={next => setOperator(next as Operator)}
      />
      <ValueInput input={input} column={column} type={type} value={value} onChange={setValue} />
      <Button type="submit" look="primary" isDisabled={!isComplete}>
        {t('add')}
      </Button>
    </form>
  )
}

/** A moment is chosen in the zone of the browser. */
const valueFor = (input: FilterInput, value: string) => (input === 'datetime' ? new Date(value).toISOString() : value)

const inputTypes = { text: 'text', number: 'text', date: 'date', datetime: 'datetime-local', time: 'time' } as const

interface ValueProps {
  readonly input: FilterInput
  readonly column: Column
  readonly type: ContentType
  readonly value: string
  readonly onChange: (value: string) => void
}

function ValueInput({ input, column, type, value, onChange }: ValueProps) {
  const t = useTranslations('filter')
  const words = useTranslations('input')
  if (input === 'none') return null
  if (input === 'boolean' || input === 'choice') {
    const options = type.attributes.find(({ name }) => name === column.name)?.options
    const choices =
      input === 'boolean'
        ? [
            { value: 'true', label: words('yes') },
            { value: 'false', label: words('no') },
          ]
        : ((options?.enum as readonly string[] | undefined) ?? []).map(word => ({ value: word, label: word }))
    return <Select label={t('value')} choices={choices} value={value === '' ? null : value} onChange={onChange} />
  }
  return (
    <TextField
      label={t('value')}
      type={inputTypes[input]}
      inputMode={input === 'number' ? 'decimal' : 'text'}
      autoFocus
      value={value}
      onChange={onChange}
    />
  )
}
