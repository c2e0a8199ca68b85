// Copies what the user has typed, as text.

import { Copy } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'

/** Copies a text. If the browser refuses, such as on a page without TLS, shows the text to be copied by hand. */
export function CopyButton({ text }: { readonly text: () => string }) {
  const t = useTranslations('conflict')
  const words = useTranslations('words')
  const [uncopiedText, setUncopiedText] = useState<string | null>(null)
  const close = () => setUncopiedText(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      toast(t('copied'))
    } catch {
      setUncopiedText(text())
    }
  }
  return (
    <>
      <Button onPress={() => void copy()}>
        <Copy aria-hidden="true" />
        {t('copy')}
      </Button>
      <Dialog
        title={t('copyByHand')}
        isOpen={uncopiedText !== null}
        onClose={close}
        actions={<Button onPress={close}>{words('close')}</Button>}
      >
        <TextField
          label={t('copyByHandText')}
          value={uncopiedText ?? ''}
          onChange={() => undefined}
          isReadOnly
          isMultiline
          rows={10}
          autoFocus
        />
      </Dialog>
    </>
  )
}
