// The page on which one logs in. It leads back to the page that was asked for.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useRouterState, useSearch } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { beginLogin, listLogins, type OfferedLogin } from '../../api/session.ts'
import { start } from '../../api/start.ts'
import { parseLoginSearch } from '../../app/addresses.ts'
import { usePageTitle } from '../../app/page-title.ts'
import styles from './login.module.css'
import { LoginForm } from './login-form.tsx'

/** The words of a login by another provider that has failed, which the page of its end has left in the history. */
function useArrivalFault(): string | null {
  const { fault } = useRouterState({ select: ({ location }) => location.state })
  return fault ?? null
}

export function LoginPage() {
  const t = useTranslations('login')
  usePageTitle(t('title'))
  const router = useRouter()
  const queries = useQueryClient()
  const { next } = parseLoginSearch({ ...useSearch({ from: '/login' }) })
  const fault = useArrivalFault()
  const { data: logins = [] } = useQuery({ queryKey: ['logins'], queryFn: ({ signal }) => listLogins(signal) })
  const begin = (login: OfferedLogin, staysLoggedIn: boolean) =>
    beginLogin(login, { staysLoggedIn, next: next ?? null })
  const enter = () => {
    queries.clear()
    router.history.replace(next ?? start.path)
  }
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <LoginForm onLoggedIn={enter} fault={fault} others={logins} onOther={begin}>
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
