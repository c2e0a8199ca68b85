// Shows the entry as readers see it, in a frame that is made only when it is asked for. It shows what was saved last.

import { ExternalLink, Eye, EyeOff } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { previewAddress } from '../../model/preview.ts'
import type { ContentType, Entry } from '../../model/types.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import styles from './entry.module.css'

/** The address of the preview; null if there is none. */
export const addressOf = ({ preview }: ContentType, entry: Entry | null): string | null =>
  preview === null || entry === null ? null : previewAddress(preview, entry)

interface ButtonsProps {
  readonly address: string | null
  readonly isShown: boolean
  readonly onShow: (isShown: boolean) => void
}

export function PreviewButtons({ address, isShown, onShow }: ButtonsProps) {
  const t = useTranslations('preview')
  if (address === null) return null
  return (
    <>
      <Button look="quiet" isSmall onPress={() => onShow(!isShown)}>
        {isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
        {isShown ? t('hide') : t('show')}
      </Button>
      <ButtonLink look="quiet" isSmall href={address} target="_blank" rel="noopener noreferrer">
        <ExternalLink aria-hidden="true" />
        {t('open')}
      </ButtonLink>
    </>
  )
}

interface FrameProps {
  readonly address: string
  /** Another moment loads the frame again. */
  readonly savedAt: string
}

export function PreviewFrame({ address, savedAt }: FrameProps) {
  const t = useTranslations('preview')
  return (
    <figure className={styles.preview}>
      <figcaption>{t('lastSaved')}</figcaption>
      {/* Scripts of the page run, but not as pages of this server. */}
      <iframe
        key={savedAt}
        src={address}
        title={t('title')}
        sandbox="allow-forms allow-popups allow-scripts"
        referrerPolicy="no-referrer"
      />
    </figure>
  )
}
