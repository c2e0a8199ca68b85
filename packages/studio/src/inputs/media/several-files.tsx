// The files of an input that takes several, in their order.

import { PencilLine } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { FilePicture } from '../../media/file-picture.tsx'
import { kindOf, type MediaFile } from '../../model/media.ts'
import { ArrangedList } from '../../ui/arranged-list.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './media-input.module.css'

interface SeveralProps {
  readonly label: string
  readonly files: readonly MediaFile[]
  readonly isDisabled: boolean
  readonly onArrange: (files: readonly MediaFile[]) => void
  readonly onShow: (id: number) => void
}

export function SeveralFiles({ label, files, isDisabled, onArrange, onShow }: SeveralProps) {
  const t = useTranslations('mediaInput')
  const items = files.map(file => ({
    key: String(file.id),
    text: file.name,
    content: <FileLabel file={file} />,
    actions: (
      <Button
        look="quiet"
        isSmall
        isIcon
        aria-label={t('details', { name: file.name })}
        onPress={() => onShow(file.id)}
      >
        <PencilLine aria-hidden="true" />
      </Button>
    ),
  }))
  return (
    <ArrangedList
      label={t('files', { label })}
      items={items}
      isDisabled={isDisabled}
      onChange={keys => onArrange(keys.map(key => files.find(({ id }) => String(id) === key)!))}
    />
  )
}

function FileLabel({ file }: { readonly file: MediaFile }) {
  const t = useTranslations('mediaInput')
  return (
    <>
      <span className={styles.thumbnail}>
        <FilePicture file={file} />
      </span>
      <span className={styles.texts}>
        <span className={styles.name}>{file.name}</span>
        {kindOf(file) === 'image' && (
          <span className={styles.note}>{file.alternativeText || t('noAlternativeText')}</span>
        )}
      </span>
    </>
  )
}
