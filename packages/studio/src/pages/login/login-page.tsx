// The page on which one logs in. It leads back to the page that was asked for.

import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { Eye, EyeOff } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isApiError } from '../../api/errors.ts'
import { logIn } from '../../api/session.ts'
import { start } from '../../api/start.ts'
import { parseLoginSearch } from '../../app/addresses.ts'
import { useErrorText } from '../../app/error-text.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './login.module.css'

export function LoginPage() {
  const t = useTranslations('login')
  usePageTitle(t('title'))
  const router = useRouter()
  const queries = useQueryClient()
  const { next } = parseLoginSearch({ ...useSearch({ from: '/login' }) })
  const errorText = useErrorText()
  const [identifier, setIdentifier] = useState('')
  const [password, setPassword] = useState('')
  const [staysLoggedIn, setStaysLoggedIn] = useState(false)
  const [isShown, setShown] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const [fault, setFault] = useState<string | null>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setWaiting(true)
    setFault(null)
    try {
      await logIn(identifier.trim(), password, staysLoggedIn)
      queries.clear()
      router.history.replace(next ?? start.path)
    } catch (error) {
      setFault(isApiError(error) && error.status === 400 ? t('refused', { message: error.message }) : errorText(error))
      setWaiting(false)
    }
  }

  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={event => void submit(event)}>
        <header className={styles.head}>
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" fill="var(--accent)" />
            <path fill="var(--on-accent)" d="M10 7h12v3H10zM12 11.5h8V20h-8zM9 21.5h14v3.5H9z" />
          </svg>
          <h1>{t('heading', { title: start.title })}</h1>
          {next !== undefined && <p>{t('leadsBack')}</p>}
        </header>
        {fault !== null && <Notice tone="bad">{fault}</Notice>}
        <TextField
          label={t('identifier')}
          name="identifier"
          autoComplete="username"
          autoFocus
          required
          value={identifier}
          onChange={setIdentifier}
        />
        <TextField
          label={t('password')}
          name="password"
          type={isShown ? 'text' : 'password'}
          autoComplete="current-password"
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
      </form>
    </main>
  )
}
