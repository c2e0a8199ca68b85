// The files of the library, as a grid or as a list, from which some are chosen.

import { GridList, GridListItem, type Selection } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import type { MediaFile } from '../model/media.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { classNames } from '../ui/class-names.ts'
import { FilePicture } from './file-picture.tsx'
import styles from './media.module.css'
import { useFileTexts } from './use-file-texts.ts'

/** The presentation of files. */
export type FileView = 'grid' | 'list'

interface FileListProps {
  readonly files: readonly MediaFile[]
  readonly view: FileView
  readonly selectionMode: 'none' | 'single' | 'multiple'
  readonly selected: ReadonlySet<number>
  readonly onSelect: (ids: ReadonlySet<number>) => void
  /** Opens a file; without it, a press chooses the file. */
  readonly onOpen?: (id: number) => void
  readonly isWaiting: boolean
}

export function FileList({ files, view, selectionMode, selected, onSelect, onOpen, isWaiting }: FileListProps) {
  const t = useTranslations('media')
  const texts = useFileTexts()
  const select = (keys: Selection) =>
    onSelect(new Set(keys === 'all' ? files.map(({ id }) => id) : [...keys].map(Number)))
  return (
    <GridList
      aria-label={t('files')}
      className={classNames(view === 'grid' ? styles.grid : styles.rows, isWaiting && styles.waiting)}
      layout={view === 'grid' ? 'grid' : 'stack'}
      items={files}
      dependencies={[view, selectionMode]}
      selectionMode={selectionMode}
      selectedKeys={selected}
      onSelectionChange={select}
      {...(onOpen && { onAction: key => onOpen(Number(key)) })}
    >
      {file => (
        <GridListItem id={file.id} textValue={file.name} className={view === 'grid' ? styles.tile! : styles.fileRow!}>
          {selectionMode !== 'none' && (
            <span className={styles.box}>
              <Checkbox slot="selection" />
            </span>
          )}
          <span className={styles.frame}>
            <FilePicture file={file} />
          </span>
          <span className={styles.fileTexts}>
            <span className={styles.fileName}>{file.name}</span>
            <span className={styles.fileNote}>{view === 'grid' ? texts.brief(file) : texts.kind(file)}</span>
          </span>
          {view === 'list' && (
            <>
              <span className={classNames(styles.fact, styles.wideFact)}>{texts.measures(file)}</span>
              <span className={styles.fact}>{texts.size(file)}</span>
              <span className={classNames(styles.fact, styles.wideFact)}>{texts.day(file.createdAt)}</span>
            </>
          )}
        </GridListItem>
      )}
    </GridList>
  )
}
