// The dialog in which files are chosen for an entry, from the library or by uploading them.

import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { LibraryView } from '../../media/library.tsx'
import { onUploaded } from '../../media/uploads.ts'
import { useLibrary } from '../../media/use-library.ts'
import type { LibraryAddress } from '../../model/library-address.ts'
import { type FileKind, kindOf, type MediaFile } from '../../model/media.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './media-input.module.css'

interface PickerProps {
  readonly title: string
  readonly kinds: readonly FileKind[]
  readonly isMany: boolean
  readonly onChoose: (files: readonly MediaFile[]) => void
  readonly onClose: () => void
}

export function FilePicker({ title, kinds, isMany, onChoose, onClose }: PickerProps) {
  const t = useTranslations('mediaInput')
  const words = useTranslations('words')
  const [address, setAddress] = useState<LibraryAddress>({})
  const library = useLibrary({ address, kinds, onChange: setAddress })
  const { chosen, select } = useChosen(library.page?.files ?? [], kinds, isMany)
  return (
    <Dialog
      title={title}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button look="primary" isDisabled={chosen.length === 0} onPress={() => onChoose(chosen)}>
            {isMany && chosen.length > 0 ? t('chooseCount', { count: chosen.length }) : t('choose')}
          </Button>
        </>
      }
    >
      <div className={styles.picker}>
        <LibraryView
          library={library}
          selectionMode={isMany ? 'multiple' : 'single'}
          selected={new Set(chosen.map(({ id }) => id))}
          onSelect={select}
        />
      </div>
    </Dialog>
  )
}

/** Inserts a stored file in the order in which the files were picked, which is not that in which uploads end. */
function insertUpload(
  chosen: readonly MediaFile[],
  file: MediaFile,
  uploadKeys: ReadonlyMap<number, number>,
): readonly MediaFile[] {
  const key = uploadKeys.get(file.id)!
  const next = chosen.findIndex(({ id }) => (uploadKeys.get(id) ?? 0) > key)
  return next === -1 ? [...chosen, file] : chosen.toSpliced(next, 0, file)
}

/** The files that are chosen, also on other pages and in other folders. What is uploaded meanwhile is chosen too. */
function useChosen(pageFiles: readonly MediaFile[], kinds: readonly FileKind[], isMany: boolean) {
  const [chosen, setChosen] = useState<readonly MediaFile[]>([])
  const parts = useRef({ kinds, isMany })
  parts.current = { kinds, isMany }
  /** The keys of their uploads, by the ids of files. */
  const uploadKeys = useRef(new Map<number, number>())
  useEffect(
    () =>
      onUploaded((file, key) => {
        if (!parts.current.kinds.includes(kindOf(file))) return
        uploadKeys.current.set(file.id, key)
        setChosen(before => (parts.current.isMany ? insertUpload(before, file, uploadKeys.current) : [file]))
      }),
    [],
  )
  const select = (ids: ReadonlySet<number>) => {
    const elsewhere = chosen.filter(file => !pageFiles.some(({ id }) => id === file.id))
    const here = pageFiles.filter(({ id }) => ids.has(id))
    const remaining = chosen.filter(file => here.some(({ id }) => id === file.id))
    const added = here.filter(file => !remaining.some(({ id }) => id === file.id))
    setChosen(isMany ? [...elsewhere, ...remaining, ...added] : here)
  }
  return { chosen, select }
}
