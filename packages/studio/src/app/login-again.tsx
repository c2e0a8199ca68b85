// Asks the user to log in again, over a form that is open, so that nothing that was typed leaves the page.

import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { User } from '../api/session.ts'
import { LoginForm } from '../pages/login/login-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toasts.tsx'
import { goToLogin } from './router.tsx'

/** Only the same user goes on here; another one does from the page on which one logs in. */
export function LoginAgain({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('loginAgain')
  const queries = useQueryClient()
  const user = queries.getQueryData<User>(['user'])
  const leave = () => {
    onClose()
    goToLogin(queries)
  }
  return (
    <Dialog
      title={t('title')}
      isOpen
      // Escape does not leave the form.
      onClose={() => undefined}
      isAlert
      actions={
        <Button look="quiet" onPress={leave}>
          {t('other')}
        </Button>
      }
    >
      <LoginForm
        {...(user !== undefined && { username: user.username })}
        onLoggedIn={() => {
          onClose()
          toast(t('done'))
        }}
      >
        <p>{t('text')}</p>
      </LoginForm>
    </Dialog>
  )
}
