// The whole panel: its messages in the language of the user, and its pages.

import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { IntlProvider } from 'use-intl'
import { onLoggedOut } from '../api/http.ts'
import english from '../messages/en.json' with { type: 'json' }
import { Toasts } from '../ui/toasts.tsx'
import { LoginAgain } from './login-again.tsx'
import { isFormOpen } from './open-forms.ts'
import { type Language, usePreferences } from './preferences.ts'
import { queries } from './queries.ts'
import { goToLogin, router } from './router.tsx'

type Messages = typeof english

const loaders: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Messages>>> = {
  de: async () => (await import('../messages/de.json', { with: { type: 'json' } })).default,
}

/** The regional form of dates and numbers: that of the browser, where it has one for the language. */
const regionOf = (language: Language): string =>
  navigator.languages.find(one => one.startsWith(`${language}-`)) ?? { en: 'en-GB', de: 'de-DE' }[language]

/** The messages of the language. Those of the earlier one stay until others are there. */
function useMessages(language: Language): { readonly locale: string; readonly messages: Messages } | null {
  const [loaded, setLoaded] = useState(
    language === 'en' ? { locale: regionOf('en'), messages: english as Messages } : null,
  )
  useEffect(() => {
    let isCurrent = true
    const loading = language === 'en' ? Promise.resolve(english as Messages) : loaders[language]()
    void loading.then(messages => isCurrent && setLoaded({ locale: regionOf(language), messages }))
    return () => {
      isCurrent = false
    }
  }, [language])
  return loaded
}

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export function Panel() {
  const { language } = usePreferences()
  const loaded = useMessages(language)
  const [asksAgain, setAsksAgain] = useState(false)
  useEffect(() => onLoggedOut(() => (isFormOpen() ? setAsksAgain(true) : goToLogin(queries))), [])
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  if (loaded === null) return null
  const { locale, messages } = loaded
  return (
    <IntlProvider locale={locale} messages={messages} timeZone={timeZone}>
      <I18nProvider locale={locale}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          {asksAgain && <LoginAgain onClose={() => setAsksAgain(false)} />}
          <Toasts />
        </QueryClientProvider>
      </I18nProvider>
    </IntlProvider>
  )
}
