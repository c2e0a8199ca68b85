// The input for a list of components: a dynamic zone, or a repeatable component.

import { ChevronsDownUp, ChevronsUpDown, ListTree, Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import type { KeyedItem } from '../../model/item-keys.ts'
import type { Component } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import fieldStyles from '../../ui/field.module.css'
import { LabelText } from '../../ui/field.tsx'
import type { InputProps } from '../props.ts'
import { ItemCard } from './item-card.tsx'
import { useItemName } from './item-name.tsx'
import styles from './items.module.css'
import { MoveDialog } from './move-dialog.tsx'
import { Outline } from './outline.tsx'
import { Picker } from './picker.tsx'
import { RemovedNote } from './removed-note.tsx'
import { type ItemListState, useItemList } from './use-item-list.ts'

interface ItemListProps {
  readonly input: InputProps
  /** The components that may be added. */
  readonly components: readonly Component[]
  /** The uid of all components in the list; null in a zone, where each has its own. */
  readonly component: string | null
}

export function ItemList({ input, components, component }: ItemListProps) {
  const { name: path, attribute, disabled, error } = input
  const t = useTranslations('items')
  const list = useItemList({ path, attribute, components, component })
  const { items, changes, dialog } = list
  const [isOutlineOpen, setOutlineOpen] = useState(false)
  const label = useId()
  const isZone = component === null
  const outline = (onGo: (key: string) => void) => (
    <Outline
      path={path}
      label={t('outlineOf', { name: attribute.label })}
      items={items}
      componentOf={list.componentOf}
      isDisabled={disabled}
      onMove={(from, to) => list.moveTo(from, to)}
      onGo={onGo}
    />
  )
  return (
    <fieldset className={styles.list} aria-labelledby={label}>
      <ListBar input={input} labelId={label} list={list} isZone={isZone} onOutline={() => setOutlineOpen(true)} />
      {attribute.description && <p className={fieldStyles.description}>{attribute.description}</p>}
      <div className={styles.columns}>
        {isZone && items.length > 1 && <div className={styles.aside}>{outline(list.go)}</div>}
        <Cards list={list} path={path} isDisabled={disabled} />
      </div>
      {error && <p className={fieldStyles.error}>{error}</p>}
      <p className={styles.hidden} role="status">
        {list.said}
      </p>
      <Picker
        components={components}
        isOpen={dialog?.kind === 'pick'}
        onClose={list.closeDialog}
        onPick={one => dialog?.kind === 'pick' && list.add(dialog.index, one)}
      />
      {dialog?.kind === 'move' && (
        <MoveDialog
          items={items}
          componentOf={list.componentOf}
          titleAt={list.titleAt}
          from={list.indexOf(dialog.key)}
          onMove={to => changes.move(dialog.key, to, 'menu')}
          onClose={list.closeDialog}
        />
      )}
      <Dialog
        title={t('outlineOf', { name: attribute.label })}
        isOpen={isOutlineOpen}
        onClose={() => setOutlineOpen(false)}
        isSheet
        actions={<Button onPress={() => setOutlineOpen(false)}>{t('done')}</Button>}
      >
        <div className={styles.sheet}>
          {outline(key => {
            setOutlineOpen(false)
            list.go(key)
          })}
        </div>
      </Dialog>
    </fieldset>
  )
}

interface ListBarProps {
  readonly input: InputProps
  readonly labelId: string
  readonly list: ItemListState
  readonly isZone: boolean
  readonly onOutline: () => void
}

/** The name of the list, how much is in it, and what is done with the whole of it. */
function ListBar({ input, labelId, list, isZone, onOutline }: ListBarProps) {
  const t = useTranslations('items')
  return (
    <div className={styles.bar}>
      <div className={styles.label}>
        <span id={labelId} className={fieldStyles.label}>
          <LabelText label={input.attribute.label} required={input.required} />
        </span>
        <Bounds count={list.items.length} {...list.bounds} />
      </div>
      {list.items.length > 1 && (
        <div className={styles.tools}>
          <span className={classNames(isZone && styles.narrowOnly)}>
            <Button look="quiet" isSmall onPress={onOutline}>
              <ListTree aria-hidden="true" />
              {t(isZone ? 'outline' : 'arrange')}
            </Button>
          </span>
          <Button look="quiet" isSmall onPress={() => list.foldAll(list.hasOpen)}>
            {list.hasOpen ? <ChevronsDownUp aria-hidden="true" /> : <ChevronsUpDown aria-hidden="true" />}
            {t(list.hasOpen ? 'foldAll' : 'unfoldAll')}
          </Button>
        </div>
      )}
    </div>
  )
}

interface CardsProps {
  readonly list: ItemListState
  readonly path: string
  readonly isDisabled: boolean
}

function Cards({ list, path, isDisabled }: CardsProps) {
  const t = useTranslations('items')
  const { items, removed, mayAdd, changes } = list
  const nameOf = useItemName()
  const note = (index: number) =>
    removed?.index === index && <RemovedNote name={removed.name} onUndo={list.undo} onClose={list.forget} />
  const card = (item: KeyedItem, index: number) => (
    <li key={item.key} className={styles.item}>
      {note(index)}
      {!isDisabled && mayAdd && index > 0 && (
        <InsertButton
          label={t('insertBefore', { name: nameOf(index, list.componentOf(item)) })}
          onPress={() => changes.insert(index)}
        />
      )}
      <ItemCard
        path={path}
        itemKey={item.key}
        index={index}
        count={items.length}
        component={list.componentOf(item)}
        uid={item.component}
        isOpen={list.isOpen(item.key)}
        isDisabled={isDisabled}
        mayInsert={mayAdd}
        actions={changes}
      />
    </li>
  )
  return (
    <div className={styles.cards}>
      {items.length > 0 && <ol className={styles.items}>{items.map(card)}</ol>}
      {note(items.length)}
      {!isDisabled && (
        <AriaButton
          className={styles.add!}
          data-action="add"
          isDisabled={!mayAdd}
          onPress={() => changes.insert(items.length)}
        >
          <Plus aria-hidden="true" />
          {list.only === null ? t('add') : t('addOne', { name: list.only.label })}
        </AriaButton>
      )}
      {isDisabled && items.length === 0 && <p className={styles.hint}>{t('empty')}</p>}
    </div>
  )
}

/** Adds between two components. The menu of each component does the same, so the Tab key passes it by. */
function InsertButton({ label, onPress }: { readonly label: string; readonly onPress: () => void }) {
  return (
    <AriaButton className={styles.between!} excludeFromTabOrder aria-label={label} onPress={onPress}>
      <Plus aria-hidden="true" />
    </AriaButton>
  )
}

function Bounds({
  count,
  min,
  max,
}: {
  readonly count: number
  readonly min: number | null
  readonly max: number | null
}) {
  const t = useTranslations('items')
  const rule =
    min !== null && max !== null
      ? t('between', { min, max })
      : min !== null
        ? t('atLeast', { min })
        : max !== null
          ? t('atMost', { max })
          : null
  return (
    <span className={styles.bounds}>
      {count}
      {rule !== null && ` · ${rule}`}
    </span>
  )
}
