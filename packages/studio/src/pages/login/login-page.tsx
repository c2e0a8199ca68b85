// The page on which one logs in. It leads back to the page that was asked for.

import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { start } from '../../api/start.ts'
import { parseLoginSearch } from '../../app/addresses.ts'
import { usePageTitle } from '../../app/page-title.ts'
import styles from './login.module.css'
import { LoginForm } from './login-form.tsx'

export function LoginPage() {
  const t = useTranslations('login')
  usePageTitle(t('title'))
  const router = useRouter()
  const queries = useQueryClient()
  const { next } = parseLoginSearch({ ...useSearch({ from: '/login' }) })
  const enter = () => {
    queries.clear()
    router.history.replace(next ?? start.path)
  }
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <LoginForm onLoggedIn={enter}>
          <header className={styles.head}>
            <svg viewBox="0 0 32 32" aria-hidden="true">
              <rect width="32" height="32" rx="7" fill="var(--accent)" />
              <path fill="var(--on-accent)" d="M10 7h12v3H10zM12 11.5h8V20h-8zM9 21.5h14v3.5H9z" />
            </svg>
            <h1>{t('heading', { title: start.title })}</h1>
            {next !== undefined && <p>{t('leadsBack')}</p>}
          </header>
        </LoginForm>
      </div>
    </main>
  )
}
