// The roles, and how many users have them.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { listRoles, userActions } from '../../api/users.ts'
import { useErrorText } from '../../app/error-text.ts'
import { MissingPage } from '../../app/missing.tsx'
import { useModel } from '../../app/model-context.tsx'
import { usePageTitle } from '../../app/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, Waiting } from '../../ui/notice.tsx'
import tableStyles from '../../ui/table.module.css'
import listStyles from '../list/list.module.css'
import { NewRoleDialog } from './new-role-dialog.tsx'

export function RolesPage() {
  const t = useTranslations('roles')
  usePageTitle(t('title'))
  const { actions } = useModel()
  const errorText = useErrorText()
  const format = useFormatter()
  const queries = useQueryClient()
  const [isMaking, setMaking] = useState(false)
  const mayList = actions.has(userActions.listRoles)
  const { data: roles, error } = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => listRoles(signal),
    enabled: mayList,
  })
  if (!mayList) return <MissingPage />
  if (error !== null) return <Notice tone="bad">{errorText(error)}</Notice>
  if (roles === undefined) return <Waiting label={t('loading')} />
  const mayRead = actions.has(userActions.readRole)
  return (
    <div className={listStyles.page}>
      <header className={listStyles.head}>
        <h1>{t('title')}</h1>
        {actions.has(userActions.createRole) && (
          <div className={listStyles.headActions}>
            <Button look="primary" onPress={() => setMaking(true)}>
              <Plus aria-hidden="true" />
              {t('new')}
            </Button>
          </div>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys */}
      <section className={tableStyles.scroll} aria-label={t('title')} tabIndex={0}>
        <table className={tableStyles.table}>
          <thead>
            <tr>
              <th>{t('name')}</th>
              <th>{t('description')}</th>
              <th className={tableStyles.end}>{t('users')}</th>
            </tr>
          </thead>
          <tbody>
            {roles.map(role => (
              <tr key={role.id}>
                <td>
                  {mayRead ? (
                    <Link to="/roles/$id" params={{ id: String(role.id) }}>
                      {role.name}
                    </Link>
                  ) : (
                    role.name
                  )}
                </td>
                <td>{role.description ?? ''}</td>
                <td className={tableStyles.end}>{format.number(role.nb_users)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {isMaking && (
        <NewRoleDialog
          onClose={() => setMaking(false)}
          onMade={() => void queries.invalidateQueries({ queryKey: ['roles'] })}
        />
      )}
    </div>
  )
}
