// A panel about one file: how it looks, what is said about it, where it is used, and what can be done with it.

import { Copy, Download, FolderInput, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { upload } from '../api/uploads.ts'
import { useModel } from '../app/model-context.tsx'
import { acceptedTypes, type FileTexts, kindOf, type MediaFile, safeAddress } from '../model/media.ts'
import { mediaRightsOf } from '../model/media-rights.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toasts.tsx'
import { DeleteFiles } from './delete-files.tsx'
import { FilePreview } from './file-preview.tsx'
import { FileUses } from './file-uses.tsx'
import { MoveDialog } from './folder-dialogs.tsx'
import styles from './media.module.css'
import { useFileTexts } from './use-file-texts.ts'
import type { Library } from './use-library.ts'
import { useMediaTask } from './use-media-task.ts'

interface DetailsProps {
  readonly file: MediaFile
  readonly onClose: () => void
  /** Called with the file as it is after a change. */
  readonly onChange: (file: MediaFile) => void
  /** The library in which the file can be moved and deleted; none in a form. */
  readonly library?: Library
}

export function FileDetails({ file, onClose, onChange, library }: DetailsProps) {
  const t = useTranslations('media')
  const words = useTranslations('words')
  const texts = useFileTexts()
  const rights = mediaRightsOf(useModel().actions)
  const facts = [file.ext?.replace('.', '').toUpperCase(), texts.brief(file), texts.day(file.createdAt)]
  return (
    <Sheet title={file.name} closeLabel={words('close')} isOpen onClose={onClose}>
      <FilePreview file={file} />
      <p className={styles.facts}>{facts.filter(Boolean).join(' · ')}</p>
      <TextsForm key={file.id} file={file} isReadOnly={!rights.upload} onChange={onChange} />
      <Address file={file} />
      {rights.findOne && (
        <Section heading={t('usedIn')}>
          <FileUses id={file.id} />
        </Section>
      )}
      <FileActions file={file} onChange={onChange} onClose={onClose} {...(library && { library })} />
    </Sheet>
  )
}

function Section({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{heading}</h3>
      {children}
    </section>
  )
}

interface FormProps extends Pick<DetailsProps, 'file' | 'onChange'> {
  readonly isReadOnly: boolean
}

/** The name, the alternative text and the caption, which are the same wherever the file is used. */
function TextsForm({ file, isReadOnly, onChange }: FormProps) {
  const t = useTranslations('media')
  const words = useTranslations('words')
  const [changes, setChanges] = useState<FileTexts>({})
  const { isBusy, fault, run } = useMediaTask()
  const name = changes.name ?? file.name
  const alternativeText = changes.alternativeText ?? file.alternativeText ?? ''
  const caption = changes.caption ?? file.caption ?? ''
  const isChanged =
    name !== file.name || alternativeText !== (file.alternativeText ?? '') || caption !== (file.caption ?? '')
  const change = (one: FileTexts) => setChanges(before => ({ ...before, ...one }))
  const save = async () => {
    const send = async () => onChange(await upload({ id: file.id, texts: changes }))
    if (await run(send, t('textsSaved'))) setChanges({})
  }
  return (
    <div className={styles.form}>
      {fault !== null && <Notice tone="bad">{fault}</Notice>}
      <TextField
        label={t('alternativeText')}
        description={t('alternativeTextNote')}
        value={alternativeText}
        onChange={value => change({ alternativeText: value })}
        isReadOnly={isReadOnly}
        isMultiline
        rows={2}
      />
      <TextField
        label={t('caption')}
        value={caption}
        onChange={value => change({ caption: value })}
        isReadOnly={isReadOnly}
      />
      <TextField label={t('name')} value={name} onChange={value => change({ name: value })} isReadOnly={isReadOnly} />
      {!isReadOnly && (
        <div>
          <Button look="primary" isDisabled={isBusy || !isChanged || name.trim() === ''} onPress={() => void save()}>
            {words('save')}
          </Button>
        </div>
      )}
    </div>
  )
}

function Address({ file }: Pick<DetailsProps, 'file'>) {
  const t = useTranslations('media')
  const path = safeAddress(file.url)
  if (path === null) return null
  const address = new URL(path, location.origin).href
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      toast(t('copied'))
    } catch {
      toast(t('notCopied'))
    }
  }
  return (
    <div className={styles.address}>
      <TextField label={t('address')} value={address} onChange={() => undefined} isReadOnly isCode />
      <Button isIcon aria-label={t('copy')} onPress={() => void copy()}>
        <Copy aria-hidden="true" />
      </Button>
      <ButtonLink
        isIcon
        aria-label={t('openFile')}
        href={path}
        target="_blank"
        rel="noopener noreferrer"
        download={file.name}
      >
        <Download aria-hidden="true" />
      </ButtonLink>
    </div>
  )
}

function FileActions({ file, onChange, onClose, library }: DetailsProps) {
  const t = useTranslations('media')
  const rights = mediaRightsOf(useModel().actions)
  const [task, setTask] = useState<'move' | 'delete' | null>(null)
  const [part, setPart] = useState<number | null>(null)
  const { isBusy, fault, run } = useMediaTask()
  const close = () => setTask(null)
  const replace = async (content: File) => {
    // Without its name, the file would be called like the one that replaces it.
    const texts = { name: file.name }
    const send = async () => onChange(await upload({ id: file.id, file: content, texts, onProgress: setPart }))
    await run(send, t('replaced'))
    setPart(null)
  }
  const canMove = library !== undefined && rights.upload && rights.updateFolders
  const canDelete = library !== undefined && rights.destroy
  if (!rights.upload && !canMove && !canDelete) return null
  return (
    <div className={styles.actions}>
      {fault !== null && <Notice tone="bad">{fault}</Notice>}
      {part !== null && <progress className={styles.bar} aria-label={t('replacing')} value={part} max={1} />}
      {rights.upload && (
        <FileTrigger
          acceptedFileTypes={acceptedTypes([kindOf(file)])}
          onSelect={files => files?.[0] !== undefined && void replace(files[0])}
        >
          <Button isSmall isDisabled={isBusy}>
            <RefreshCw aria-hidden="true" />
            {t('replace')}
          </Button>
        </FileTrigger>
      )}
      {canMove && (
        <Button isSmall isDisabled={isBusy} onPress={() => setTask('move')}>
          <FolderInput aria-hidden="true" />
          {t('move')}
        </Button>
      )}
      {canDelete && (
        <Button isSmall isDisabled={isBusy} onPress={() => setTask('delete')}>
          <Trash2 aria-hidden="true" />
          {t('delete')}
        </Button>
      )}
      {task === 'move' && library && <MoveDialog library={library} fileIds={[file.id]} onClose={close} />}
      {task === 'delete' && <DeleteFiles ids={[file.id]} onClose={close} onDeleted={onClose} />}
    </div>
  )
}
