// A small picture of a file, or a sign of its kind.

import { File, FileText, Music, Video } from 'lucide-react'
import { useState } from 'react'
import { kindOf, type MediaFile, pictureOf } from '../model/media.ts'
import styles from './media.module.css'

const icons = { image: File, video: Video, audio: Music, file: FileText }

/** Its name stands beside it, so it has no text of its own. */
export function FilePicture({ file }: { readonly file: MediaFile }) {
  const [failed, setFailed] = useState<string | null>(null)
  const picture = pictureOf(file)
  if (picture !== null && picture !== failed)
    return <img className={styles.picture} src={picture} alt="" loading="lazy" onError={() => setFailed(picture)} />
  const Icon = icons[kindOf(file)]
  return (
    <span className={styles.icon}>
      <Icon aria-hidden="true" />
      {file.ext !== null && <span className={styles.extension}>{file.ext.replace('.', '')}</span>}
    </span>
  )
}
