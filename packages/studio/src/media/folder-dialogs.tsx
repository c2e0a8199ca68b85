// Dialogs that make, rename and delete folders, and move what is in the library.

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { createFolder, deleteFolder, moveMedia, renameFolder } from '../api/media.ts'
import { destinationsOf, isEmptyFolder, type MediaFolder } from '../model/folders.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { Library } from './use-library.ts'
import { useMediaTask } from './use-media-task.ts'

interface WithClose {
  readonly onClose: () => void
}

/** Makes a folder in the one that is shown. */
export function NewFolder({ parent, onClose }: WithClose & { readonly parent: number | null }) {
  const t = useTranslations('media')
  return (
    <NameDialog
      title={t('newFolder')}
      action={t('make')}
      first=""
      done={t('folderMade')}
      onName={name => createFolder(name, parent)}
      onClose={onClose}
    />
  )
}

export function RenameFolder({ folder, onClose }: WithClose & { readonly folder: MediaFolder }) {
  const t = useTranslations('media')
  return (
    <NameDialog
      title={t('renameTitle', { name: folder.name })}
      action={t('rename')}
      first={folder.name}
      done={t('renamed')}
      onName={name => renameFolder(folder.id, name)}
      onClose={onClose}
    />
  )
}

interface NameProps extends WithClose {
  readonly title: string
  readonly action: string
  readonly first: string
  readonly done: string
  readonly onName: (name: string) => Promise<unknown>
}

function NameDialog({ title, action, first, done, onName, onClose }: NameProps) {
  const t = useTranslations('media')
  const words = useTranslations('words')
  const [name, setName] = useState(first)
  const { isBusy, fault, run } = useMediaTask()
  const trimmed = name.trim()
  const canSave = !isBusy && trimmed !== '' && trimmed !== first
  const save = async () => {
    if (canSave && (await run(() => onName(trimmed), done))) onClose()
  }
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button look="primary" isDisabled={!canSave} onPress={() => void save()}>
            {action}
          </Button>
        </>
      }
    >
      <TextField
        label={t('folderName')}
        value={name}
        onChange={setName}
        error={fault}
        autoFocus
        onKeyDown={event => event.key === 'Enter' && void save()}
      />
    </Dialog>
  )
}

interface MoveProps extends WithClose {
  readonly library: Pick<Library, 'folders' | 'folder'>
  readonly folderIds?: readonly number[]
  readonly fileIds?: readonly number[]
  readonly onMoved?: () => void
}

const root = 'root'

/** Moves files and folders to another folder. */
export function MoveDialog({ library, folderIds = [], fileIds = [], onClose, onMoved }: MoveProps) {
  const t = useTranslations('media')
  const words = useTranslations('words')
  const [target, setTarget] = useState<string | null>(null)
  const { isBusy, fault, run } = useMediaTask()
  const choices = [
    { value: root, label: t('root') },
    ...destinationsOf(library.folders, folderIds).map(({ id, path }) => ({ value: String(id), label: path })),
  ]
  const move = async () => {
    const destination = target === root ? null : Number(target)
    const isDone = await run(() => moveMedia({ folderIds, fileIds }, destination), t('moved'))
    if (!isDone) return
    onMoved?.()
    onClose()
  }
  return (
    <Dialog
      title={t('moveTitle', { count: folderIds.length + fileIds.length })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button look="primary" isDisabled={isBusy || target === null} onPress={() => void move()}>
            {t('move')}
          </Button>
        </>
      }
    >
      <Select
        label={t('destination')}
        choices={choices}
        value={target}
        onChange={setTarget}
        placeholder={t('choosePlace')}
        error={fault}
      />
    </Dialog>
  )
}

/** Asks before a folder is deleted with what is in it. */
export function DeleteFolder({ folder, onClose }: WithClose & { readonly folder: MediaFolder }) {
  const t = useTranslations('media')
  const words = useTranslations('words')
  const { isBusy, fault, run } = useMediaTask()
  const isEmpty = isEmptyFolder(folder)
  const remove = async () => {
    if (await run(() => deleteFolder(folder.id), t('folderDeleted'))) onClose()
  }
  return (
    <Dialog
      title={t('deleteFolderTitle', { name: folder.name })}
      isOpen
      onClose={onClose}
      isAlert
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {words('cancel')}
          </Button>
          <Button look="danger" isDisabled={isBusy} onPress={() => void remove()}>
            {t(isEmpty ? 'delete' : 'deleteAll')}
          </Button>
        </>
      }
    >
      {fault !== null && <Notice tone="bad">{fault}</Notice>}
      <p>{t(isEmpty ? 'deleteEmptyText' : 'deleteFolderText')}</p>
    </Dialog>
  )
}
