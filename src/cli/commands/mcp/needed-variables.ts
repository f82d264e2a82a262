/** Variables that change where Unstuck keeps its files and how it judges. Those of a run belong to that run. */
const ownVariable = /^(?:UNSTUCK_(?!RUN_)\w+|XDG_(?:STATE|CONFIG|CACHE|DATA)_HOME|XDG_RUNTIME_DIR)$/;

/** Variables without which many commands fail or find something else. None of them is a secret. */
const commonVariable =
  /^(?:SSH_AUTH_SOCK|(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|VIRTUAL_ENV|CONDA_PREFIX|PYENV_ROOT|NVM_DIR|JAVA_HOME|GOPATH|CARGO_HOME|RUSTUP_HOME|DOCKER_HOST|KUBECONFIG|AWS_PROFILE|DISPLAY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS)$/i;

/** Names of the variables that are set here and that a server should get. */
export function neededVariables(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => ownVariable.test(name) || commonVariable.test(name))
    .sort();
}
