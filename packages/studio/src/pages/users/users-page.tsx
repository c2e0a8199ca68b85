// The users who may log in: who they are, what their roles are, and whether they are blocked.

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, SearchIcon, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type ListedUser, listRoles, listUsers, userActions, usersOnPage } from '../../api/users.ts'
import { useErrorText } from '../../app/error-text.ts'
import { MissingPage } from '../../app/missing.tsx'
import { useModel } from '../../app/model-context.tsx'
import { usePageTitle } from '../../app/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Notice, Waiting } from '../../ui/notice.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import tableStyles from '../../ui/table.module.css'
import { useSettled } from '../../ui/use-settled.ts'
import listStyles from '../list/list.module.css'
import { UserDialog } from './user-dialog.tsx'

export function UsersPage() {
  const t = useTranslations('users')
  usePageTitle(t('title'))
  const { actions } = useModel()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [text, setText] = useState('')
  const [page, setPage] = useState(1)
  const [edited, setEdited] = useState<ListedUser | 'new' | null>(null)
  const settled = useSettled(text.trim(), 300)
  const { data: users, error } = useQuery({
    queryKey: ['users', settled, page],
    queryFn: ({ signal }) => listUsers(settled, page, signal),
    placeholderData: keepPreviousData,
    enabled: actions.has(userActions.list),
  })
  const { data: roles = [] } = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => listRoles(signal),
    enabled: actions.has(userActions.listRoles),
  })
  if (!actions.has(userActions.list)) return <MissingPage />
  const search = (next: string) => {
    setText(next)
    setPage(1)
  }
  return (
    <div className={listStyles.page}>
      <header className={listStyles.head}>
        <h1>{t('title')}</h1>
        {actions.has(userActions.create) && (
          <div className={listStyles.headActions}>
            <Button look="primary" onPress={() => setEdited('new')}>
              <Plus aria-hidden="true" />
              {t('new')}
            </Button>
          </div>
        )}
      </header>
      <div className={listStyles.toolbar}>
        <div className={listStyles.search}>
          <SearchInput
            label={t('search')}
            value={text}
            onChange={search}
            icon={<SearchIcon aria-hidden="true" />}
            clearIcon={<X aria-hidden="true" />}
          />
        </div>
      </div>
      {error !== null && <Notice tone="bad">{errorText(error)}</Notice>}
      {users === undefined ? (
        error === null && <Waiting label={t('loading')} />
      ) : (
        <UserTable users={users.slice(0, usersOnPage)} onEdit={setEdited} />
      )}
      {(page > 1 || (users?.length ?? 0) > usersOnPage) && (
        <div className={listStyles.turner}>
          <Button isDisabled={page === 1} onPress={() => setPage(page - 1)}>
            {t('previous')}
          </Button>
          <Button isDisabled={(users?.length ?? 0) <= usersOnPage} onPress={() => setPage(page + 1)}>
            {t('next')}
          </Button>
        </div>
      )}
      {edited !== null && (
        <UserDialog
          user={edited === 'new' ? null : edited}
          roles={roles}
          onClose={() => setEdited(null)}
          onChanged={() => void queries.invalidateQueries({ queryKey: ['users'] })}
        />
      )}
    </div>
  )
}

interface TableProps {
  readonly users: readonly ListedUser[]
  readonly onEdit: (user: ListedUser) => void
}

function UserTable({ users, onEdit }: TableProps) {
  const t = useTranslations('users')
  const { actions } = useModel()
  const mayChange = actions.has(userActions.update)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys
    <section className={tableStyles.scroll} aria-label={t('title')} tabIndex={0}>
      <table className={tableStyles.table}>
        <thead>
          <tr>
            <th>{t('username')}</th>
            <th>{t('email')}</th>
            <th>{t('role')}</th>
            <th>{t('state')}</th>
            {mayChange && (
              <th className={tableStyles.end}>
                <span>{t('change')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {users.map(user => (
            <tr key={user.id}>
              <td>{user.username}</td>
              <td>{user.email}</td>
              <td>{user.role?.name ?? '–'}</td>
              <td>
                <UserState user={user} />
              </td>
              {mayChange && (
                <td className={tableStyles.end}>
                  <Button isSmall aria-label={t('edit', { name: user.username })} onPress={() => onEdit(user)}>
                    {t('editShort')}
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function UserState({ user }: { readonly user: ListedUser }) {
  const t = useTranslations('users')
  if (user.blocked) return <Badge tone="bad">{t('blocked')}</Badge>
  if (user.confirmed === false) return <Badge tone="warn">{t('unconfirmed')}</Badge>
  return <Badge tone="good">{t('active')}</Badge>
}
