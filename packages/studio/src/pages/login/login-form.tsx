// The fields by which one logs in, on the page for it and over a form whose user is not logged in any more.

import { Eye, EyeOff } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isApiError } from '../../api/errors.ts'
import { logIn, type OfferedLogin } from '../../api/session.ts'
import { useErrorText } from '../../app/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './login.module.css'

interface LoginFormProps {
  /** The content above the fields. */
  readonly children?: ReactNode
  /** The name of the only user who may log in; without it, anybody may. */
  readonly username?: string
  readonly onLoggedIn: () => void
  /** The words of a login that has failed before. */
  readonly fault?: string | null
  /** Logins by other providers. */
  readonly others?: readonly OfferedLogin[]
  readonly onOther?: (login: OfferedLogin, staysLoggedIn: boolean) => void
}

export function LoginForm({
  children,
  username,
  onLoggedIn,
  fault: earlier = null,
  others = [],
  onOther,
}: LoginFormProps) {
  const t = useTranslations('login')
  const errorText = useErrorText()
  const [identifier, setIdentifier] = useState(username ?? '')
  const [password, setPassword] = useState('')
  const [staysLoggedIn, setStaysLoggedIn] = useState(false)
  const [isShown, setShown] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const [fault, setFault] = useState<string | null>(earlier)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setWaiting(true)
    setFault(null)
    try {
      await logIn(identifier.trim(), password, staysLoggedIn)
      onLoggedIn()
    } catch (error) {
      setFault(isApiError(error) && error.status === 400 ? t('refused', { message: error.message }) : errorText(error))
      setWaiting(false)
    }
  }
  return (
    <form className={styles.form} onSubmit={event => void submit(event)}>
      {children}
      {fault !== null && <Notice tone="bad">{fault}</Notice>}
      <TextField
        label={t('identifier')}
        name="identifier"
        autoComplete="username"
        autoFocus={username === undefined}
        isReadOnly={username !== undefined}
        required
        value={identifier}
        onChange={setIdentifier}
      />
      <TextField
        label={t('password')}
        name="password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        autoFocus={username !== undefined}
        required
        value={password}
        onChange={setPassword}
        suffix={
          <Button
            look="quiet"
            isSmall
            isIcon
            aria-label={isShown ? t('hide') : t('show')}
            onPress={() => setShown(!isShown)}
          >
            {isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          </Button>
        }
      />
      <div>
        <Checkbox isSelected={staysLoggedIn} onChange={setStaysLoggedIn}>
          {t('stay')}
        </Checkbox>
        <p className={styles.hint}>{t('stayHint')}</p>
      </div>
      <Button type="submit" look="primary" isWide isPending={isWaiting}>
        {isWaiting ? t('waiting') : t('submit')}
      </Button>
      {others.length > 0 && (
        <div className={styles.others}>
          <p className={styles.or}>{t('or')}</p>
          {others.map(login => (
            <Button key={login.name} isWide onPress={() => onOther?.(login, staysLoggedIn)}>
              {t('by', { provider: login.label })}
            </Button>
          ))}
        </div>
      )}
    </form>
  )
}
