// Asks for the address of a link and its text.

import { type FormEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { followedAddress } from '../text-addresses.ts'
import styles from './blocks.module.css'

export interface LinkTexts {
  readonly url: string
  readonly text: string
}

interface LinkDialogProps {
  /** The initial values of the fields. */
  readonly link: LinkTexts
  readonly onClose: () => void
  readonly onSet: (link: LinkTexts) => void
  /** Null for a link that is being made. */
  readonly onRemove: (() => void) | null
}

export function LinkDialog({ link, onClose, onSet, onRemove }: LinkDialogProps) {
  const t = useTranslations('blocks.link')
  const [url, setUrl] = useState(link.url)
  const [text, setText] = useState(link.text)
  const [isRefused, setRefused] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const address = followedAddress(url.trim())
    if (address === null) setRefused(true)
    else onSet({ url: address, text })
  }
  const changeUrl = (next: string) => {
    setUrl(next)
    setRefused(false)
  }
  return (
    <Dialog title={t('title')} isOpen onClose={onClose}>
      <Form className={styles.link!} onSubmit={submit}>
        <TextField
          label={t('url')}
          value={url}
          onChange={changeUrl}
          inputMode="url"
          autoFocus
          error={isRefused ? t('refused') : null}
        />
        <TextField label={t('text')} value={text} onChange={setText} />
        <div className={styles.linkActions}>
          {onRemove !== null && (
            <Button look="quiet" onPress={onRemove}>
              {t('remove')}
            </Button>
          )}
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button look="primary" type="submit">
            {t('set')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
