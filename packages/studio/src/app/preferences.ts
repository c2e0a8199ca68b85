// The user's preferences for the panel: the theme and the language. Both are kept in the browser.

import { useSyncExternalStore } from 'react'
import { keepPreference, readPreference } from '../api/storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The languages for which there are messages, under their own names. */
export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

interface Preferences {
  readonly theme: Theme
  readonly language: Language
}

const isLanguage = (text: string): text is Language => text in languages

/** The first language of the browser for which there are messages. */
const browserLanguage = (): Language => navigator.languages.map(one => one.slice(0, 2)).find(isLanguage) ?? 'en'

function readPreferences(): Preferences {
  const { theme, language } = readPreference<Partial<Preferences>>('preferences') ?? {}
  return {
    theme: themes.find(one => one === theme) ?? 'system',
    language: isLanguage(String(language)) ? (language as Language) : browserLanguage(),
  }
}

let preferences = readPreferences()
const listeners = new Set<() => void>()

/** Changes preferences, and keeps them. */
export function prefer(change: Partial<Preferences>): void {
  preferences = { ...preferences, ...change }
  keepPreference('preferences', preferences)
  applyTheme()
  for (const listener of listeners) listener()
}

/** Gives the page the theme. */
export function applyTheme(): void {
  const { theme } = preferences
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, () => preferences)
