// The account of the user: who is logged in, and a new password.

import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isApiError } from '../../api/errors.ts'
import { changePassword } from '../../api/session.ts'
import { useErrorText } from '../../app/error-text.ts'
import { useModel, useUser } from '../../app/model-context.tsx'
import { usePageTitle } from '../../app/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './account.module.css'

const changeAction = 'plugin::users-permissions.auth.changePassword'

export function AccountPage() {
  const t = useTranslations('account')
  usePageTitle(t('title'))
  const user = useUser()
  const { actions } = useModel()
  return (
    <div className={styles.page}>
      <h1>{t('title')}</h1>
      <dl className={styles.facts}>
        <div>
          <dt>{t('username')}</dt>
          <dd>{user.username}</dd>
        </div>
        <div>
          <dt>{t('email')}</dt>
          <dd>{user.email}</dd>
        </div>
      </dl>
      {actions.has(changeAction) && <PasswordForm />}
    </div>
  )
}

function PasswordForm() {
  const t = useTranslations('account')
  const errorText = useErrorText()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [repeated, setRepeated] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const differs = repeated !== '' && repeated !== next
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (next !== repeated) return
    setBusy(true)
    setFault(null)
    try {
      await changePassword(current, next)
      for (const empty of [setCurrent, setNext, setRepeated]) empty('')
      toast(t('changed'))
    } catch (error) {
      setFault(isApiError(error) && error.faults[0] ? error.faults[0].message : errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={styles.form} onSubmit={event => void submit(event)}>
      <h2>{t('password')}</h2>
      <p>{t('passwordText')}</p>
      {fault !== null && <Notice tone="bad">{fault}</Notice>}
      <TextField
        label={t('current')}
        type="password"
        autoComplete="current-password"
        required
        value={current}
        onChange={setCurrent}
      />
      <TextField
        label={t('new')}
        type="password"
        autoComplete="new-password"
        required
        value={next}
        onChange={setNext}
      />
      <TextField
        label={t('repeat')}
        type="password"
        autoComplete="new-password"
        required
        error={differs ? t('differs') : null}
        value={repeated}
        onChange={setRepeated}
      />
      <Button
        type="submit"
        look="primary"
        isDisabled={isBusy || differs || current === '' || next === '' || repeated === ''}
      >
        {t('change')}
      </Button>
    </form>
  )
}
