// The frame around all pages for users who are logged in: the navigation, the search, and the menu of the user.

import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { readModel } from '../api/model.ts'
import { readUser } from '../api/session.ts'
import { start } from '../api/start.ts'
import { Button } from '../ui/button.tsx'
import { Notice, Waiting } from '../ui/notice.tsx'
import { useErrorText } from './error-text.ts'
import { usePlugins, WorkplaceProvider } from './model-context.tsx'
import { Navigation } from './navigation.tsx'
import { loadPlugins } from './plugins.ts'
import { Search } from './search.tsx'
import styles from './shell.module.css'
import { UserMenu } from './user-menu.tsx'

export function Shell() {
  const t = useTranslations('shell')
  const errorText = useErrorText()
  const user = useQuery({ queryKey: ['user'], queryFn: readUser, staleTime: Number.POSITIVE_INFINITY })
  const model = useQuery({ queryKey: ['model'], queryFn: readModel, staleTime: Number.POSITIVE_INFINITY })
  const plugins = useQuery({ queryKey: ['plugins'], queryFn: loadPlugins, staleTime: Number.POSITIVE_INFINITY })
  const error = user.error ?? model.error
  if (error !== null)
    return (
      <main className={styles.alone}>
        <Notice tone="bad">{errorText(error)}</Notice>
        <Button onPress={() => void Promise.all([user.refetch(), model.refetch()])}>{t('again')}</Button>
      </main>
    )
  if (user.data === undefined || model.data === undefined || plugins.data === undefined)
    return <Waiting label={t('loading')} />
  return (
    <WorkplaceProvider model={model.data} user={user.data} plugins={plugins.data}>
      <Frame />
    </WorkplaceProvider>
  )
}

function Frame() {
  const t = useTranslations('shell')
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#page">
        {t('skip')}
      </a>
      <header className={styles.bar}>
        <Drawer />
        <span className={styles.brand}>
          <Mark />
          {start.title}
        </span>
        <Search />
        <UserMenu />
      </header>
      <nav className={styles.side} aria-label={t('navigation')}>
        <Navigation />
      </nav>
      <main id="page" className={styles.page} tabIndex={-1}>
        <PluginFaults />
        <Outlet />
      </main>
    </div>
  )
}

/** Names the modules of plugins that are not used. */
function PluginFaults() {
  const t = useTranslations('plugins')
  return usePlugins().faults.map(({ plugin, reason }) => (
    <Notice key={plugin} tone="warn">
      {t(reason, { plugin })}
    </Notice>
  ))
}

/** The navigation of narrow windows. */
function Drawer() {
  const t = useTranslations('shell')
  const [isOpen, setOpen] = useState(false)
  const { href } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the navigation
  useEffect(() => setOpen(false), [href])
  return (
    <>
      <div className={styles.opener}>
        <Button look="quiet" isIcon aria-label={t('openNavigation')} onPress={() => setOpen(true)}>
          <MenuIcon aria-hidden="true" />
        </Button>
      </div>
      <ModalOverlay className={styles.drawerOverlay!} isOpen={isOpen} onOpenChange={setOpen} isDismissable>
        <Modal className={styles.drawer!}>
          <Dialog aria-label={t('navigation')} className={styles.drawerBody!}>
            <Navigation />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  )
}

const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="var(--accent)" />
    <path fill="var(--on-accent)" d="M10 7h12v3H10zM12 11.5h8V20h-8zM9 21.5h14v3.5H9z" />
  </svg>
)
