// Shows the uploads that run, and stops them.

import { RotateCw, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { ProgressBar } from 'react-aria-components'
import { useFormatter, useTranslations } from 'use-intl'
import { useErrorText } from '../app/error-text.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import styles from './media.module.css'
import { onUploadsChange, type RunningUpload, repeatUpload, runningUploads, stopUpload } from './uploads.ts'

export function UploadProgress() {
  const t = useTranslations('media')
  const uploads = useSyncExternalStore(onUploadsChange, runningUploads)
  const left = uploads.filter(({ state }) => state !== 'failed').length
  return (
    <>
      <p className={styles.hidden} role="status">
        {left > 0 ? t('uploadsLeft', { count: left }) : ''}
      </p>
      {uploads.length > 0 && (
        <ul className={styles.uploads} aria-label={t('uploads')}>
          {uploads.map(one => (
            <li key={one.key} className={styles.upload}>
              <Upload upload={one} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Upload({ upload }: { readonly upload: RunningUpload }) {
  const t = useTranslations('media')
  const format = useFormatter()
  const errorText = useErrorText()
  const { key, file, state, part, error } = upload
  const percent = Math.floor(part * 100)
  const text =
    state === 'waiting' ? t('waiting') : part === 1 ? t('storing') : format.number(part, { style: 'percent' })
  return (
    <>
      <div className={styles.uploadTexts}>
        <span className={styles.uploadName}>{file.name}</span>
        {state === 'failed' ? (
          <span className={styles.fault} role="alert">
            {errorText(error)}
          </span>
        ) : (
          <ProgressBar aria-label={file.name} value={percent} valueLabel={text} className={styles.uploadBar!}>
            <progress className={styles.bar} value={percent} max={100} aria-hidden="true" />
            <span className={styles.percent}>{text}</span>
          </ProgressBar>
        )}
      </div>
      {state === 'failed' && (
        <Button
          look="quiet"
          isSmall
          isIcon
          aria-label={t('repeat', { name: file.name })}
          onPress={() => repeatUpload(key)}
        >
          <RotateCw aria-hidden="true" />
        </Button>
      )}
      <Button
        look="quiet"
        isSmall
        isIcon
        aria-label={t(state === 'failed' ? 'dismiss' : 'stop', { name: file.name })}
        onPress={() => stopUpload(key)}
      >
        <X aria-hidden="true" />
      </Button>
    </>
  )
}

/** The classes of the place over which files are dragged. */
export const dropClasses = ({ isDropTarget }: { readonly isDropTarget: boolean }): string =>
  classNames(styles.drop, isDropTarget && styles.dropTarget)
