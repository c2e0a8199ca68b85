// Says what went wrong: in the words of the server where it has answered some.

import { useTranslations } from 'use-intl'
import { isApiError } from '../api/errors.ts'

/** Returns the sentence about an error. */
export function useErrorText(): (error: unknown) => string {
  const t = useTranslations('error')
  return error => {
    if (!isApiError(error)) return t('unknown')
    if (error.name === 'NoVersion') return t('noVersion')
    if (error.status === 0) return t('noAnswer')
    if (error.retryAfter !== null) return t('later', { seconds: error.retryAfter })
    if (error.status === 401) return t('loggedOut')
    if (error.status === 403 && (error.message === '' || error.message === 'Forbidden')) return t('forbidden')
    if (error.status === 412) return t('changedSince')
    if (error.status === 404) return t('missing')
    if (error.status === 413) return t('tooLarge')
    if (error.status >= 500 || error.message === '') return t('server')
    return error.message
  }
}
