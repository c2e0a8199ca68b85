// Changes a user, or makes one. A new password is made by the browser and shown once.

import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isApiError } from '../../api/errors.ts'
import { createUser, deleteUser, type ListedUser, type Role, updateUser, userActions } from '../../api/users.ts'
import { useErrorText } from '../../app/error-text.ts'
import { useModel, useUser } from '../../app/model-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toasts.tsx'
import { makePassword } from './make-password.ts'
import styles from './users.module.css'

interface DialogProps {
  /** Null for a new one. */
  readonly user: ListedUser | null
  readonly roles: readonly Role[]
  readonly onClose: () => void
  readonly onChanged: () => void
}

export function UserDialog({ user, roles, onClose, onChanged }: DialogProps) {
  const t = useTranslations('users')
  const words = useTranslations('words')
  const errorText = useErrorText()
  const self = useUser()
  const { actions } = useModel()
  const [username, setUsername] = useState(user?.username ?? '')
  const [email, setEmail] = useState(user?.email ?? '')
  const [role, setRole] = useState(user?.role?.id ?? null)
  const [isBlocked, setBlocked] = useState(user?.blocked ?? false)
  const [shownPassword, setShownPassword] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const mayDecide = actions.has(userActions.decide)

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    setFault(null)
    try {
      await act()
      onChanged()
    } catch (error) {
      setFault(isApiError(error) && error.faults[0] ? error.faults[0].message : errorText(error))
    } finally {
      setBusy(false)
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    void attempt(async () => {
      const decided = mayDecide ? { ...(role !== null && { role }), blocked: isBlocked } : {}
      if (user !== null) {
        await updateUser(user.id, { username, email, ...decided })
        toast(t('saved'))
        return onClose()
      }
      const password = makePassword()
      await createUser({ username, email, password, ...decided })
      setShownPassword(password)
    })
  }
  const reset = () =>
    attempt(async () => {
      const password = makePassword()
      await updateUser(user!.id, { password })
      setShownPassword(password)
    })
  const remove = () =>
    attempt(async () => {
      await deleteUser(user!.id)
      toast(t('deleted'))
      onClose()
    })

  if (shownPassword !== null)
    return (
      <Dialog
        title={t('passwordTitle', { name: username })}
        isOpen
        isAlert
        onClose={onClose}
        actions={
          <Button look="primary" onPress={onClose}>
            {words('close')}
          </Button>
        }
      >
        <p>{t('passwordText')}</p>
        <TextField label={t('password')} isCode isReadOnly value={shownPassword} onChange={() => {}} />
      </Dialog>
    )
  return (
    <Dialog
      title={user === null ? t('new') : user.username}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" form="user" isDisabled={isBusy || username === '' || email === ''}>
            {words('save')}
          </Button>
        </>
      }
    >
      <form id="user" className={styles.form} onSubmit={save}>
        {fault !== null && <Notice tone="bad">{fault}</Notice>}
        <TextField label={t('username')} required value={username} onChange={setUsername} />
        <TextField label={t('email')} type="email" required value={email} onChange={setEmail} />
        {roles.length > 0 && (
          <Select
            label={t('role')}
            disabled={!mayDecide}
            choices={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={role === null ? null : String(role)}
            onChange={value => setRole(Number(value))}
          />
        )}
        {user !== null && mayDecide && user.id !== self.id && (
          <Checkbox isSelected={isBlocked} onChange={setBlocked}>
            {t('block')}
          </Checkbox>
        )}
        {user !== null && user.id !== self.id && (
          <div className={styles.dangers}>
            <Button isSmall isDisabled={isBusy} onPress={() => void reset()}>
              {t('reset')}
            </Button>
            {actions.has(userActions.remove) && <DeleteButton onDelete={() => void remove()} />}
          </div>
        )}
      </form>
    </Dialog>
  )
}

/** Asks a second time before it deletes. */
function DeleteButton({ onDelete }: { readonly onDelete: () => void }) {
  const t = useTranslations('users')
  const [isAsked, setAsked] = useState(false)
  return isAsked ? (
    <Button look="danger" isSmall onPress={onDelete}>
      {t('deleteSurely')}
    </Button>
  ) : (
    <Button isSmall onPress={() => setAsked(true)}>
      {t('delete')}
    </Button>
  )
}
