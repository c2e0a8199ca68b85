// The file of an input that takes one, with its picture and its alternative text.

import { PencilLine, RefreshCw, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { upload } from '../../api/uploads.ts'
import { useModel } from '../../app/model-context.tsx'
import { FilePreview } from '../../media/file-preview.tsx'
import { useFileTexts } from '../../media/use-file-texts.ts'
import { useMediaTask } from '../../media/use-media-task.ts'
import { kindOf, type MediaFile } from '../../model/media.ts'
import { mediaRightsOf } from '../../model/media-rights.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './media-input.module.css'

interface SingleProps {
  readonly file: MediaFile
  readonly isDisabled: boolean
  /** Null if the file cannot be replaced by another one. */
  readonly onReplace: (() => void) | null
  readonly onRemove: () => void
  readonly onShow: () => void
  /** Called with the file when its texts are stored. */
  readonly onTexts: (file: MediaFile) => void
}

export function SingleFile({ file, isDisabled, onReplace, onRemove, onShow, onTexts }: SingleProps) {
  const t = useTranslations('mediaInput')
  const texts = useFileTexts()
  return (
    <div className={styles.single}>
      <FilePreview file={file} />
      <div className={styles.singleTexts}>
        <div>
          <p className={styles.name}>{file.name}</p>
          <p className={styles.note}>{texts.brief(file)}</p>
        </div>
        {kindOf(file) === 'image' && <AlternativeText file={file} onTexts={onTexts} />}
        <div className={styles.buttons}>
          {onReplace !== null && (
            <Button isSmall onPress={onReplace}>
              <RefreshCw aria-hidden="true" />
              {t('chooseAnother')}
            </Button>
          )}
          <Button isSmall aria-label={t('details', { name: file.name })} onPress={onShow}>
            <PencilLine aria-hidden="true" />
            {t('detailsShort')}
          </Button>
          {!isDisabled && (
            <Button look="quiet" isSmall aria-label={t('remove', { name: file.name })} onPress={onRemove}>
              <X aria-hidden="true" />
              {t('removeShort')}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

/** Stores the text at once, because it belongs to the file and not to the entry. */
function AlternativeText({ file, onTexts }: Pick<SingleProps, 'file' | 'onTexts'>) {
  const t = useTranslations('mediaInput')
  const media = useTranslations('media')
  const words = useTranslations('words')
  const { upload: mayChange } = mediaRightsOf(useModel().actions)
  const stored = file.alternativeText ?? ''
  const [text, setText] = useState(stored)
  const { isBusy, fault, run } = useMediaTask()
  const isChanged = text !== stored
  const save = async () => {
    if (!isChanged || isBusy) return
    await run(async () => onTexts(await upload({ id: file.id, texts: { alternativeText: text } })), media('textsSaved'))
  }
  return (
    <TextField
      label={media('alternativeText')}
      description={t('alternativeTextNote')}
      value={text}
      onChange={setText}
      error={fault}
      isReadOnly={!mayChange}
      onKeyDown={event => event.key === 'Enter' && void save()}
      // Always there, because the input would lose the keys if it came with the first of them.
      {...(mayChange && {
        suffix: (
          <Button
            look={isChanged ? 'primary' : 'quiet'}
            isSmall
            isDisabled={!isChanged || isBusy}
            onPress={() => void save()}
          >
            {words('save')}
          </Button>
        ),
      })}
    />
  )
}
