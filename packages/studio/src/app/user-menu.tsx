// The menu of the user: the account, theme and language, and logging out.

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ChevronDown, LogOut, UserRound } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { logOut } from '../api/session.ts'
import { deleteDraftsOf } from '../form/kept-drafts.ts'
import { Menu, MenuItem, MenuSection, MenuSeparator } from '../ui/menu.tsx'
import { useUser } from './model-context.tsx'
import { usePathTo } from './paths.ts'
import { type Language, languages, prefer, type Theme, themes, usePreferences } from './preferences.ts'
import styles from './user-menu.module.css'

export function UserMenu() {
  const t = useTranslations('user')
  const user = useUser()
  const queries = useQueryClient()
  const router = useRouter()
  const pathTo = usePathTo()
  const { theme, language } = usePreferences()
  const leave = async () => {
    await router.navigate({ to: '/login', search: {} })
    // The navigation may have been refused because something is not saved.
    if (!router.state.location.pathname.endsWith('/login')) return
    logOut()
    await deleteDraftsOf(user.id)
    queries.clear()
  }
  return (
    <Menu
      label={t('menu')}
      trigger={
        <AriaButton className={styles.trigger!} aria-label={t('menuOf', { name: user.username })}>
          <span className={styles.initial} data-initial={user.username.slice(0, 1).toUpperCase()} aria-hidden="true" />
          <span className={styles.name}>{user.username}</span>
          <ChevronDown aria-hidden="true" />
        </AriaButton>
      }
    >
      <MenuItem href={pathTo({ to: '/account' })} icon={<UserRound aria-hidden="true" />}>
        {t('account')}
      </MenuItem>
      <MenuSeparator />
      <MenuSection
        heading={t('theme')}
        selectionMode="single"
        selected={[theme]}
        onSelect={keys => prefer({ theme: ([...keys][0] ?? theme) as Theme })}
      >
        {themes.map(one => (
          <MenuItem key={one} id={one}>
            {t(`themes.${one}`)}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSeparator />
      <MenuSection
        heading={t('language')}
        selectionMode="single"
        selected={[language]}
        onSelect={keys => prefer({ language: ([...keys][0] ?? language) as Language })}
      >
        {Object.entries(languages).map(([id, name]) => (
          <MenuItem key={id} id={id}>
            {name}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden="true" />} onAction={() => void leave()}>
        {t('logOut')}
      </MenuItem>
    </Menu>
  )
}
