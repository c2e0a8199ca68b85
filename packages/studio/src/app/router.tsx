// The addresses of the panel and their pages. A page is loaded when it is needed.

import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
} from '@tanstack/react-router'
import { RouterProvider as AriaRouter } from 'react-aria-components'
import { start } from '../api/start.ts'
import { readToken } from '../api/storage.ts'
import { parseLibraryAddress } from '../model/library-address.ts'
import { parseListAddress } from '../model/list-address.ts'
import { addressNow, isOwnAddress, parseEntrySearch, parseLoginSearch } from './addresses.ts'
import { cleanAddress } from './arrival.ts'
import { MissingPage } from './missing.tsx'
import { Shell } from './shell.tsx'

/** Links of React Aria lead to pages of the panel without loading it again. */
function Root() {
  const { history } = useRouter()
  return (
    <AriaRouter navigate={path => history.push(path)}>
      <Outlet />
    </AriaRouter>
  )
}

cleanAddress(start.path)

const root = createRootRoute({ component: Root, notFoundComponent: MissingPage })

const loginRoute = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: parseLoginSearch,
  component: lazyRouteComponent(() => import('../pages/login/login-page.tsx'), 'LoginPage'),
})

const connectRoute = createRoute({
  getParentRoute: () => root,
  path: '/connect/$provider',
  component: lazyRouteComponent(() => import('../pages/login/connect-page.tsx'), 'ConnectPage'),
})

const shellRoute = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: () => {
    if (readToken() === null) throw redirect({ to: '/login', search: { next: addressNow() }, replace: true })
  },
  component: Shell,
})

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/home/home-page.tsx'), 'HomePage'),
})

const typeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/content/$slug',
  validateSearch: parseListAddress,
  component: lazyRouteComponent(() => import('../pages/type-page.tsx'), 'TypePage'),
})

const newRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/content/$slug/new',
  validateSearch: parseEntrySearch,
  component: lazyRouteComponent(() => import('../pages/entry/new-entry-page.tsx'), 'NewEntryPage'),
})

const entryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/content/$slug/$id',
  validateSearch: parseEntrySearch,
  component: lazyRouteComponent(() => import('../pages/entry/entry-page.tsx'), 'EntryPage'),
})

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
})

const mediaRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/media',
  validateSearch: parseLibraryAddress,
  component: lazyRouteComponent(() => import('../pages/media/media-page.tsx'), 'MediaPage'),
})

const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  component: lazyRouteComponent(() => import('../pages/users/users-page.tsx'), 'UsersPage'),
})

const rolesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/roles',
  component: lazyRouteComponent(() => import('../pages/roles/roles-page.tsx'), 'RolesPage'),
})

const roleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/roles/$id',
  component: lazyRouteComponent(() => import('../pages/roles/role-page.tsx'), 'RolePage'),
})

const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tokens',
  component: lazyRouteComponent(() => import('../pages/tokens/tokens-page.tsx'), 'TokensPage'),
})

const pluginRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/plugins/$plugin/$path',
  component: lazyRouteComponent(() => import('../pages/plugin-page.tsx'), 'PluginPage'),
})

const routeTree = root.addChildren([
  loginRoute,
  connectRoute,
  shellRoute.addChildren([
    homeRoute,
    typeRoute,
    newRoute,
    entryRoute,
    mediaRoute,
    accountRoute,
    usersRoute,
    rolesRoute,
    roleRoute,
    tokensRoute,
    pluginRoute,
  ]),
])

export const router = createRouter({ routeTree, basepath: start.path, defaultPreload: false, scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }

  interface HistoryState {
    /** Why a login by another provider has failed. */
    readonly fault?: string
  }
}

/** Forgets what was read, and goes to the page on which one logs in. It leads back to the page of now. */
export function goToLogin(queries: QueryClient): void {
  const next = addressNow()
  queries.clear()
  if (!isOwnAddress(next) || next.startsWith(`${start.path}/login`)) return
  void router.navigate({ to: '/login', search: { next }, replace: true, ignoreBlocker: true })
}
