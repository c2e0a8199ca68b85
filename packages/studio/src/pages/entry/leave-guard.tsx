// Asks before a page is left whose form has changes that are not saved.

import { useBlocker } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

export function LeaveGuard({ isBlocked }: { readonly isBlocked: () => boolean }) {
  const t = useTranslations('leave')
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isBlocked(),
    enableBeforeUnload: isBlocked,
    withResolver: true,
  })
  const stay = () => blocker.reset?.()
  return (
    <Dialog
      title={t('title')}
      isOpen={blocker.status === 'blocked'}
      onClose={stay}
      isAlert
      actions={
        <>
          <Button look="danger" onPress={() => blocker.proceed?.()}>
            {t('leave')}
          </Button>
          <Button look="primary" autoFocus onPress={stay}>
            {t('stay')}
          </Button>
        </>
      }
    >
      <p>{t('text')}</p>
    </Dialog>
  )
}
