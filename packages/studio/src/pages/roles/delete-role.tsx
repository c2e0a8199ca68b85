// Deletes a role, after a question.

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { deleteRole, type Role } from '../../api/users.ts'
import { useErrorText } from '../../app/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'

interface DeleteProps {
  readonly role: Role
  readonly onDeleted: () => void
}

export function DeleteRole({ role, onDeleted }: DeleteProps) {
  const t = useTranslations('roles')
  const words = useTranslations('words')
  const errorText = useErrorText()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const remove = async () => {
    try {
      await deleteRole(role.id)
      toast(t('deleted', { name: role.name }))
      await navigate({ to: '/roles' })
      onDeleted()
    } catch (error) {
      setFault(errorText(error))
    }
  }
  return (
    <>
      <Button onPress={() => setOpen(true)}>{t('delete')}</Button>
      <Dialog
        title={t('deleteTitle', { name: role.name })}
        isOpen={isOpen}
        isAlert
        onClose={() => setOpen(false)}
        actions={
          <>
            <Button autoFocus onPress={() => setOpen(false)}>
              {words('cancel')}
            </Button>
            <Button look="danger" onPress={() => void remove()}>
              {t('delete')}
            </Button>
          </>
        }
      >
        {fault === null ? <p>{t('deleteHint')}</p> : <Notice tone="bad">{fault}</Notice>}
      </Dialog>
    </>
  )
}
