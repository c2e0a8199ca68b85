// Shows a file as far as a browser can without running anything of it.

import { useTranslations } from 'use-intl'
import { kindOf, type MediaFile, previewOf, safeAddress } from '../model/media.ts'
import { FilePicture } from './file-picture.tsx'
import styles from './media.module.css'

export function FilePreview({ file }: { readonly file: MediaFile }) {
  const t = useTranslations('media')
  const address = safeAddress(file.url)
  const picture = previewOf(file)
  const kind = kindOf(file)
  return (
    <div className={styles.preview}>
      {picture !== null ? (
        <img src={picture} alt={file.alternativeText || t('preview', { name: file.name })} />
      ) : kind === 'video' && address !== null ? (
        // biome-ignore lint/a11y/useMediaCaption: the library has no captions for videos
        <video controls preload="metadata" src={address} aria-label={file.name} />
      ) : kind === 'audio' && address !== null ? (
        // biome-ignore lint/a11y/useMediaCaption: the library has no captions for recordings
        <audio controls preload="metadata" src={address} aria-label={file.name} />
      ) : (
        <FilePicture file={file} />
      )}
    </div>
  )
}
