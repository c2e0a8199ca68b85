// The addresses of the panel and their pages. Those of users who have logged in are loaded together when one of them is
// needed.

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
import { ConnectPage } from '../pages/login/connect-page.tsx'
import { LoginPage } from '../pages/login/login-page.tsx'
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

const loadPages = () => import('./pages.ts')

cleanAddress(start.path)

const root = createRootRoute({ component: Root, notFoundComponent: MissingPage })

const loginRoute = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: parseLoginSearch,
  component: LoginPage,
})

const connectRoute = createRoute({
  getParentRoute: () => root,
  path: '/connect/$provider',
  component: ConnectPage,
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
  component: lazyRouteComponent(loadPages, 'HomePage'),
})

const typeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/content/$slug',
  validateSearch: parseListAddress,
  component: lazyRouteComponent(loadPages, 'TypePage'),
})

const newRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/content/$slug/new',
  validateSearch: parseEntrySearch,
  component: lazyRouteComponent(loadPages, 'NewEntryPage'),
})

const entryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/content/$slug/$id',
  validateSearch: parseEntrySearch,
  component: lazyRouteComponent(loadPages, 'EntryPage'),
})

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyRouteComponent(loadPages, 'AccountPage'),
})

const mediaRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/media',
  validateSearch: parseLibraryAddress,
  component: lazyRouteComponent(loadPages, 'MediaPage'),
})

const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  component: lazyRouteComponent(loadPages, 'UsersPage'),
})

const rolesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/roles',
  component: lazyRouteComponent(loadPages, 'RolesPage'),
})

const roleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/roles/$id',
  component: lazyRouteComponent(loadPages, 'RolePage'),
})

const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tokens',
  component: lazyRouteComponent(loadPages, 'TokensPage'),
})

const pluginRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/plugins/$plugin/$path',
  component: lazyRouteComponent(loadPages, 'PluginPage'),
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
    /** The reason for which a login by another provider has failed. */
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
