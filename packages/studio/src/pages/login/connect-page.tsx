// The page to which a login by another provider leads. It ends the login, and leads on to the page that was asked for. A login
// that this tab has not begun is not ended: a stranger's link must not log anybody in as the stranger.

import { useQueryClient } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { isApiError } from '../../api/errors.ts'
import { finishLogin } from '../../api/session.ts'
import { start } from '../../api/start.ts'
import { type BegunLogin, takeBegunLogin } from '../../api/storage.ts'
import { isOwnAddress } from '../../app/addresses.ts'
import { takeArrival } from '../../app/arrival.ts'
import { useErrorText } from '../../app/error-text.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { Waiting } from '../../ui/notice.tsx'
import styles from './login.module.css'

export function ConnectPage() {
  const t = useTranslations('login')
  usePageTitle(t('title'))
  const { provider } = useParams({ from: '/connect/$provider' })
  const router = useRouter()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const refuse = async (begun: BegunLogin | null, fault: string) => {
    const search = isOwnAddress(begun?.next) ? { next: begun.next } : {}
    await router.navigate({ to: '/login', search, replace: true, state: { fault } })
  }
  const finish = async () => {
    const begun = takeBegunLogin()
    const { code, error } = takeArrival()
    if (begun?.name !== provider) return refuse(begun, t('elsewhere'))
    if (code === null) return refuse(begun, t('abandoned', { message: error ?? '–' }))
    try {
      await finishLogin(begun, code)
      queries.clear()
      router.history.replace(isOwnAddress(begun.next) ? begun.next : start.path)
    } catch (fault) {
      const isRefused = isApiError(fault) && fault.status === 400
      await refuse(begun, isRefused ? t('refused', { message: fault.message }) : errorText(fault))
    }
  }
  // The code is valid once, and effects may run twice.
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    void finish()
  })
  return (
    <main className={styles.page}>
      <h1 className={styles.finishing}>{t('finishing', { provider })}</h1>
      <Waiting label={t('waiting')} />
    </main>
  )
}
