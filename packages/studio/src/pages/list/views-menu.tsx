// Views: lists to which the user has given names, with their filters, order and columns. They are kept in this browser.

import { Bookmark, BookmarkPlus, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { keepPreference, readPreference } from '../../api/storage.ts'
import { type ListAddress, parseListAddress } from '../../model/list-address.ts'
import type { ContentType } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuItem, MenuSection, MenuSeparator } from '../../ui/menu.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { EntryList } from './use-entry-list.ts'

interface View {
  readonly name: string
  readonly address: ListAddress
  readonly columns: readonly string[]
}

interface ViewsProps {
  readonly type: ContentType
  readonly list: EntryList
}

const isSame = (left: ListAddress, right: ListAddress) =>
  JSON.stringify(parseListAddress({ ...left, page: undefined })) ===
  JSON.stringify(parseListAddress({ ...right, page: undefined }))

export function ViewsMenu({ type, list }: ViewsProps) {
  const t = useTranslations('views')
  const preference = `views.${type.uid}`
  const [views, setViews] = useState(() => readPreference<readonly View[]>(preference) ?? [])
  const [isNaming, setNaming] = useState(false)
  const keep = (next: readonly View[]) => {
    keepPreference(preference, next)
    setViews(next)
  }
  const current = views.find(view => isSame(view.address, list.address))
  const open = ({ address, columns }: View) => {
    const empty = { q: undefined, f: undefined, state: undefined, locale: undefined, sort: undefined, size: undefined }
    list.show(columns)
    list.change({ ...empty, ...parseListAddress({ ...address }) })
  }
  const save = (name: string) => {
    const columns = list.shown.map(one => one.name)
    keep([...views.filter(view => view.name !== name), { name, address: { ...list.address }, columns }])
    setNaming(false)
    toast(t('saved', { name }))
  }
  return (
    <>
      <Menu
        label={t('title')}
        trigger={
          <Button look="quiet">
            <Bookmark aria-hidden="true" />
            {current?.name ?? t('title')}
          </Button>
        }
      >
        {views.length > 0 && (
          <MenuSection
            heading={t('title')}
            selectionMode="single"
            selected={current === undefined ? [] : [current.name]}
            onSelect={names => {
              const chosen = views.find(({ name }) => names.has(name))
              if (chosen !== undefined) open(chosen)
            }}
          >
            {views.map(({ name }) => (
              <MenuItem key={name} id={name}>
                {name}
              </MenuItem>
            ))}
          </MenuSection>
        )}
        {views.length > 0 && <MenuSeparator />}
        <MenuItem icon={<BookmarkPlus aria-hidden="true" />} onAction={() => setNaming(true)}>
          {t('save')}
        </MenuItem>
        {current !== undefined && (
          <MenuItem
            icon={<Trash2 aria-hidden="true" />}
            isDangerous
            onAction={() => keep(views.filter(view => view !== current))}
          >
            {t('remove', { name: current.name })}
          </MenuItem>
        )}
      </Menu>
      <NameDialog isOpen={isNaming} onClose={() => setNaming(false)} onSave={save} />
    </>
  )
}

interface NameProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onSave: (name: string) => void
}

function NameDialog({ isOpen, onClose, onSave }: NameProps) {
  const t = useTranslations('views')
  const words = useTranslations('words')
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    onSave(name.trim())
    setName('')
  }
  return (
    <Dialog
      title={t('save')}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" form="view">
            {words('save')}
          </Button>
        </>
      }
    >
      <form id="view" onSubmit={submit}>
        <TextField label={t('name')} description={t('hint')} autoFocus value={name} onChange={setName} />
      </form>
    </Dialog>
  )
}
