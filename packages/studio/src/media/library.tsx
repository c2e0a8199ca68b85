// The media library: where one is, what is searched, folders and files. The page of the library and the dialog in which
// files are chosen for an entry show it.

import { ChevronRight, FolderPlus, Grid2x2, ImageOff, List, SearchIcon, Upload, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { DropZone, FileTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { keepPreference, readPreference } from '../api/storage.ts'
import { useErrorText } from '../app/error-text.ts'
import { fileSorts } from '../model/library-address.ts'
import { acceptedTypes } from '../model/media.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Notice, Waiting } from '../ui/notice.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { Select } from '../ui/select.tsx'
import { useSettled } from '../ui/use-settled.ts'
import { FileList, type FileView } from './file-list.tsx'
import { NewFolder } from './folder-dialogs.tsx'
import { FolderList } from './folder-list.tsx'
import styles from './media.module.css'
import { dropClasses, UploadProgress } from './upload-progress.tsx'
import { startUploads } from './uploads.ts'
import type { Library } from './use-library.ts'

interface LibraryProps {
  readonly library: Library
  readonly selectionMode: 'none' | 'single' | 'multiple'
  readonly selected: ReadonlySet<number>
  readonly onSelect: (ids: ReadonlySet<number>) => void
  readonly onOpen?: (id: number) => void
}

export function LibraryView({ library, ...choice }: LibraryProps) {
  const errorText = useErrorText()
  const [view, setView] = useFileView()
  const { rights, folder, page, error } = library
  const send = (files: readonly File[]) => startUploads(files, folder)
  const content = (
    <>
      <Crumbs library={library} />
      <Toolbar library={library} view={view} onView={setView} onFiles={send} />
      {error !== null && <Notice tone="bad">{errorText(error)}</Notice>}
      <UploadProgress />
      <FolderList library={library} />
      {page !== undefined && page.files.length > 0 && (
        <FileList files={page.files} view={view} isWaiting={library.isWaiting} {...choice} />
      )}
      <Nothing library={library} />
      <Turner library={library} />
    </>
  )
  return rights.upload ? <Drop onFiles={send}>{content}</Drop> : <div className={styles.library}>{content}</div>
}

interface DropProps {
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ReactNode
}

/** Takes files that are dragged from elsewhere. */
function Drop({ onFiles, children }: DropProps) {
  const t = useTranslations('media')
  return (
    <DropZone
      aria-label={t('dropHere')}
      className={dropClasses}
      getDropOperation={() => 'copy'}
      onDrop={async ({ items }) => {
        const files = await Promise.all(items.filter(item => item.kind === 'file').map(item => item.getFile()))
        if (files.length > 0) onFiles(files)
      }}
    >
      <div className={styles.library}>{children}</div>
      <p className={styles.dropText} aria-hidden="true">
        <Upload aria-hidden="true" />
        {t('dropHere')}
      </p>
    </DropZone>
  )
}

const viewPreference = 'media.view'

function useFileView() {
  const [view, setView] = useState<FileView>(() => (readPreference(viewPreference) === 'list' ? 'list' : 'grid'))
  const change = (next: FileView) => {
    setView(next)
    keepPreference(viewPreference, next)
  }
  return [view, change] as const
}

function Crumbs({ library }: { readonly library: Library }) {
  const t = useTranslations('media')
  const { path, change, folder } = library
  if (folder === undefined || path.length === 0) return null
  return (
    <nav aria-label={t('path')}>
      <ol className={styles.crumbs}>
        <li>
          <Button look="quiet" isSmall onPress={() => change({ folder: undefined, q: undefined })}>
            {t('root')}
          </Button>
        </li>
        {path.map(({ id, name }) => (
          <li key={id}>
            <ChevronRight aria-hidden="true" />
            <Button
              look="quiet"
              isSmall
              {...(id === folder && { 'aria-current': 'page' })}
              onPress={() => change({ folder: id, q: undefined })}
            >
              {name}
            </Button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface ToolbarProps {
  readonly library: Library
  readonly view: FileView
  readonly onView: (view: FileView) => void
  readonly onFiles: (files: readonly File[]) => void
}

const any = 'any'

function Toolbar({ library, view, onView, onFiles }: ToolbarProps) {
  const t = useTranslations('media')
  const { address, change, kinds, rights, folder } = library
  const [isMaking, setMaking] = useState(false)
  return (
    <div className={styles.toolbar}>
      <div className={styles.search}>
        <FileSearch library={library} />
      </div>
      {kinds.length > 1 && (
        <div className={styles.choice}>
          <Select
            aria-label={t('kind')}
            choices={[
              { value: any, label: t('anyKind') },
              ...kinds.map(kind => ({ value: kind, label: t(`kindsOf.${kind}`) })),
            ]}
            value={address.kind ?? any}
            onChange={value => change({ kind: value === any ? undefined : value })}
          />
        </div>
      )}
      <div className={styles.choice}>
        <Select
          aria-label={t('sort')}
          choices={fileSorts.map(sort => ({ value: sort, label: t(`sorts.${sort.replace(':', '-') as 'name-asc'}`) }))}
          value={address.sort ?? fileSorts[0]}
          onChange={value => change({ sort: value === fileSorts[0] ? undefined : value })}
        />
      </div>
      <div className={styles.views}>
        <Button
          look={view === 'grid' ? 'plain' : 'quiet'}
          isIcon
          aria-label={t('grid')}
          aria-pressed={view === 'grid'}
          onPress={() => onView('grid')}
        >
          <Grid2x2 aria-hidden="true" />
        </Button>
        <Button
          look={view === 'list' ? 'plain' : 'quiet'}
          isIcon
          aria-label={t('list')}
          aria-pressed={view === 'list'}
          onPress={() => onView('list')}
        >
          <List aria-hidden="true" />
        </Button>
      </div>
      <div className={styles.spring} />
      {rights.createFolders && folder !== undefined && (
        <Button onPress={() => setMaking(true)}>
          <FolderPlus aria-hidden="true" />
          {t('newFolder')}
        </Button>
      )}
      {rights.upload && (
        <FileTrigger
          allowsMultiple
          acceptedFileTypes={acceptedTypes(kinds)}
          onSelect={files => files !== null && onFiles([...files])}
        >
          <Button look="primary">
            <Upload aria-hidden="true" />
            {t('upload')}
          </Button>
        </FileTrigger>
      )}
      {isMaking && <NewFolder parent={folder ?? null} onClose={() => setMaking(false)} />}
    </div>
  )
}

/** Searches when nobody has typed for a moment. */
function FileSearch({ library: { address, change } }: { readonly library: Library }) {
  const t = useTranslations('media')
  const { q = '' } = address
  const [typed, setTyped] = useState(q)
  const settled = useSettled(typed.trim(), 300)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed begins a search
  useEffect(() => {
    if (settled !== q && settled === typed.trim()) change({ q: settled === '' ? undefined : settled })
  }, [settled])
  useEffect(() => setTyped(q), [q])
  return (
    <SearchInput
      label={t('search')}
      value={typed}
      onChange={setTyped}
      icon={<SearchIcon aria-hidden="true" />}
      clearIcon={<X aria-hidden="true" />}
    />
  )
}

function Nothing({ library }: { readonly library: Library }) {
  const t = useTranslations('media')
  const { page, error, address, shownFolders, rights, change } = library
  if (!rights.find) return <Notice>{t('notReadable')}</Notice>
  if (page === undefined) return error === null ? <Waiting label={t('loading')} /> : null
  if (page.files.length > 0) return null
  const isNarrowed = address.q !== undefined || address.kind !== undefined
  if (!isNarrowed && shownFolders.length > 0) return <p className={styles.note}>{t('noFilesHere')}</p>
  return (
    <div className={styles.empty}>
      <Empty icon={<ImageOff aria-hidden="true" />} title={isNarrowed ? t('noneFound') : t('empty')}>
        {isNarrowed ? (
          <Button onPress={() => change({ q: undefined, kind: undefined })}>{t('showAll')}</Button>
        ) : (
          rights.upload && <p>{t('emptyText')}</p>
        )}
      </Empty>
    </div>
  )
}

function Turner({ library: { page, address, change } }: { readonly library: Library }) {
  const t = useTranslations('pages')
  const { page: number = 1 } = address
  if (page === undefined || (number === 1 && !page.hasMore)) return null
  const turn = (to: number) => change({ page: to === 1 ? undefined : to })
  return (
    <nav className={styles.turner} aria-label={t('title')}>
      <Button isSmall isDisabled={number === 1} onPress={() => turn(number - 1)}>
        {t('previous')}
      </Button>
      <span>{t('page', { page: number })}</span>
      <Button isSmall isDisabled={!page.hasMore} onPress={() => turn(number + 1)}>
        {t('next')}
      </Button>
    </nav>
  )
}
