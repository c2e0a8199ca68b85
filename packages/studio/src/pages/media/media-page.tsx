// The page of the media library. What it shows is in its address, so that it can be sent to others and returned to.

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FolderInput, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { readFile } from '../../api/media.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { DeleteFiles } from '../../media/delete-files.tsx'
import { FileDetails } from '../../media/file-details.tsx'
import { MoveDialog } from '../../media/folder-dialogs.tsx'
import { LibraryView } from '../../media/library.tsx'
import styles from '../../media/media.module.css'
import { type Library, useLibrary } from '../../media/use-library.ts'
import { type LibraryAddress, parseLibraryAddress } from '../../model/library-address.ts'
import { fileKinds } from '../../model/media.ts'
import { Button } from '../../ui/button.tsx'

export function MediaPage() {
  const t = useTranslations('media')
  const address = parseLibraryAddress({ ...useSearch({ from: '/shell/media' }) })
  const navigate = useNavigate({ from: '/media' })
  const go = (search: LibraryAddress) => void navigate({ to: '/media', search })
  const library = useLibrary({ address, kinds: fileKinds, onChange: go })
  const [selection, setSelection] = useState<ReadonlySet<number>>(new Set())
  const pageIds = library.page?.files.map(({ id }) => id) ?? []
  const chosen = pageIds.filter(id => selection.has(id))
  usePageTitle(t('title'))
  const { upload, destroy, updateFolders } = library.rights
  const canChoose = destroy || (upload && updateFolders)
  return (
    <div className={styles.page}>
      <h1>{t('title')}</h1>
      <LibraryView
        library={library}
        selectionMode={canChoose ? 'multiple' : 'none'}
        selected={new Set(chosen)}
        onSelect={setSelection}
        onOpen={file => go({ ...address, file })}
      />
      {chosen.length > 0 && <Chosen library={library} ids={chosen} onDone={() => setSelection(new Set())} />}
      <Details library={library} onClose={() => go({ ...address, file: undefined } as LibraryAddress)} />
    </div>
  )
}

/** The file of the address: one of the list, or one that a link leads to. */
function Details({ library, onClose }: { readonly library: Library; readonly onClose: () => void }) {
  const { file: id } = library.address
  const listed = library.page?.files.find(file => file.id === id)
  const { data: read, refetch } = useQuery({
    queryKey: ['media', 'file', id],
    queryFn: ({ signal }) => readFile(id!, signal),
    enabled: id !== undefined && library.page !== undefined && listed === undefined && library.rights.findOne,
  })
  const file = listed ?? read
  if (id === undefined || file === undefined) return null
  return <FileDetails file={file} library={library} onClose={onClose} onChange={() => void refetch()} />
}

interface ChosenProps {
  readonly library: Library
  readonly ids: readonly number[]
  readonly onDone: () => void
}

/** Shows the actions for the chosen files. */
function Chosen({ library, ids, onDone }: ChosenProps) {
  const t = useTranslations('media')
  const [task, setTask] = useState<'move' | 'delete' | null>(null)
  const { upload, destroy, updateFolders } = library.rights
  const close = () => setTask(null)
  return (
    <section className={styles.chosen} aria-label={t('chosenFiles')}>
      <span className={styles.chosenCount} role="status">
        {t('chosen', { count: ids.length })}
      </span>
      {upload && updateFolders && (
        <Button isSmall onPress={() => setTask('move')}>
          <FolderInput aria-hidden="true" />
          {t('move')}
        </Button>
      )}
      {destroy && (
        <Button isSmall onPress={() => setTask('delete')}>
          <Trash2 aria-hidden="true" />
          {t('delete')}
        </Button>
      )}
      <Button look="quiet" isSmall onPress={onDone}>
        {t('clear')}
      </Button>
      {task === 'move' && <MoveDialog library={library} fileIds={ids} onClose={close} onMoved={onDone} />}
      {task === 'delete' && <DeleteFiles ids={ids} onClose={close} onDeleted={onDone} />}
    </section>
  )
}
