// Makes a role. It is permitted nothing at first.

import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isApiError } from '../../api/errors.ts'
import { createRole } from '../../api/users.ts'
import { useErrorText } from '../../app/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from '../users/users.module.css'

interface DialogProps {
  readonly onClose: () => void
  readonly onMade: () => void
}

export function NewRoleDialog({ onClose, onMade }: DialogProps) {
  const t = useTranslations('roles')
  const words = useTranslations('words')
  const errorText = useErrorText()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFault(null)
    try {
      await createRole({ name: name.trim(), description: description.trim() })
      toast(t('made', { name }))
      onMade()
      onClose()
    } catch (error) {
      setFault(isApiError(error) && error.faults[0] ? error.faults[0].message : errorText(error))
    }
  }
  return (
    <Dialog
      title={t('new')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" form="role" isDisabled={name.trim() === ''}>
            {t('make')}
          </Button>
        </>
      }
    >
      <form id="role" className={styles.form} onSubmit={event => void submit(event)}>
        {fault !== null && <Notice tone="bad">{fault}</Notice>}
        <TextField label={t('name')} required value={name} onChange={setName} />
        <TextField label={t('description')} value={description} onChange={setDescription} />
      </form>
    </Dialog>
  )
}
