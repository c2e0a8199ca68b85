// The rights of a role. Rights that the application declares in its code are shown, and can only be removed in that code.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type PermissionTree, type RoleWithPermissions, readRole, updateRole, userActions } from '../../api/users.ts'
import { useErrorText } from '../../app/error-text.ts'
import { MissingPage } from '../../app/missing.tsx'
import { useModel } from '../../app/model-context.tsx'
import { usePageTitle } from '../../app/page-title.ts'
import { usePathTo } from '../../app/paths.ts'
import { labelOf } from '../../model/labels.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Notice, Waiting } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'
import listStyles from '../list/list.module.css'
import { DeleteRole } from './delete-role.tsx'
import styles from './roles.module.css'

export function RolePage() {
  const t = useTranslations('roles')
  const { id } = useParams({ from: '/shell/roles/$id' })
  const { actions } = useModel()
  const errorText = useErrorText()
  const mayRead = actions.has(userActions.readRole) && /^\d+$/.test(id)
  const { data: role, error } = useQuery({
    queryKey: ['roles', id],
    queryFn: ({ signal }) => readRole(Number(id), signal),
    enabled: mayRead,
    gcTime: 0,
  })
  if (!mayRead) return <MissingPage />
  if (error !== null) return <Notice tone="bad">{errorText(error)}</Notice>
  if (role === undefined) return <Waiting label={t('loading')} />
  return <RoleForm role={role} />
}

function RoleForm({ role }: { readonly role: RoleWithPermissions }) {
  const t = useTranslations('roles')
  usePageTitle(role.name)
  const { actions } = useModel()
  const queries = useQueryClient()
  const pathTo = usePathTo()
  const errorText = useErrorText()
  const [tree, setTree] = useState(role.permissions)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const mayChange = actions.has(userActions.updateRole)
  const save = async () => {
    setBusy(true)
    setFault(null)
    try {
      await updateRole(role.id, tree)
      await queries.invalidateQueries({ queryKey: ['roles'] })
      toast(t('saved'))
    } catch (error) {
      setFault(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={listStyles.page}>
      <header className={listStyles.head}>
        <h1>{role.name}</h1>
        <div className={listStyles.headActions}>
          <ButtonLink href={pathTo({ to: '/roles' })}>{t('back')}</ButtonLink>
          {actions.has(userActions.deleteRole) && role.declaredPermissions === undefined && role.type !== 'public' && (
            <DeleteRole role={role} onDeleted={() => void queries.invalidateQueries({ queryKey: ['roles'] })} />
          )}
          {mayChange && (
            <Button look="primary" isDisabled={isBusy || tree === role.permissions} onPress={() => void save()}>
              {t('save')}
            </Button>
          )}
        </div>
      </header>
      <p className={styles.hint}>{t('hint')}</p>
      {role.declaredPermissions !== undefined && <p className={styles.hint}>{t('describedRole')}</p>}
      {fault !== null && <Notice tone="bad">{fault}</Notice>}
      <Permissions
        tree={tree}
        declared={new Set(role.declaredPermissions)}
        isDisabled={!mayChange}
        onChange={setTree}
      />
    </div>
  )
}

interface PermissionsProps {
  readonly tree: PermissionTree
  /** The actions that code declares. */
  readonly declared: ReadonlySet<string>
  readonly isDisabled: boolean
  readonly onChange: (tree: PermissionTree) => void
}

function Permissions({ tree, declared, isDisabled, onChange }: PermissionsProps) {
  const set = (part: string, controller: string, action: string, enabled: boolean) => {
    const { controllers } = tree[part]!
    const actions = { ...controllers[controller], [action]: { enabled } }
    onChange({ ...tree, [part]: { controllers: { ...controllers, [controller]: actions } } })
  }
  const t = useTranslations('roles')
  return (
    <div className={styles.parts}>
      {Object.entries(tree).map(([part, { controllers }]) => (
        <section key={part} className={styles.part} aria-label={part}>
          <h2>{nameOf(part)}</h2>
          {Object.entries(controllers).map(([controller, actions]) => (
            <fieldset key={controller} className={styles.controller} aria-label={labelOf(controller)}>
              {labelOf(controller) !== nameOf(part) && <legend>{labelOf(controller)}</legend>}
              {Object.entries(actions).map(([action, { enabled }]) => (
                <Checkbox
                  key={action}
                  isSelected={enabled}
                  isDisabled={isDisabled || declared.has(`${part}.${controller}.${action}`)}
                  onChange={next => set(part, controller, action, next)}
                >
                  <span>
                    {action}
                    {declared.has(`${part}.${controller}.${action}`) && (
                      <span className={styles.declared}> {t('declared')}</span>
                    )}
                  </span>
                </Checkbox>
              ))}
            </fieldset>
          ))}
        </section>
      ))}
    </div>
  )
}

/** "Article" for `api::article`, "Upload (plugin)" for a plugin's. */
function nameOf(part: string): string {
  const [kind, name = kind] = part.split('::') as [string, string?]
  return kind === 'api' ? labelOf(name) : `${labelOf(name)} (${kind})`
}
