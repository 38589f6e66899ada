/** Variables that name a program, or options of one, that another program then uses. */
const PROGRAMS =
  /^(?:ENV|BASH_(?:ENV|ALIASES|CMDS)|PROMPT_COMMAND|PS[0-4]|SHELL|GIT_(?:SSH(?:_COMMAND)?|EXTERNAL_DIFF|PROXY_COMMAND|EXEC_PATH|TEMPLATE_DIR|ALLOW_PROTOCOL)|GIT_CONFIG(?!_NOSYSTEM$)\w*|VIMINIT|EXINIT|LUA_INIT\w*|PERL5DB|PYTHONSTARTUP|PYTHONBREAKPOINT|PYTHONWARNINGS|RSYNC_RSH|RSYNC_CONNECT_PROG|CVS_RSH|LESS(?:OPEN|CLOSE|KEY\w*)|RUSTC\w*|CARGO_\w*(?:RUSTC\w*|RUNNER|LINKER)|LD_(?:PRELOAD|AUDIT|LIBRARY_PATH)|DYLD_\w+|FZF_DEFAULT_COMMAND|GCC_EXEC_PREFIX|npm_config_(?:script_shell|shell|git)|\w*(?:PAGER|EDITOR|VISUAL|BROWSER|ASKPASS))$|^BASH_FUNC/i;
const OPTIONS =
  /^(?:NODE_OPTIONS|PYTHONINSPECT|BUN_OPTIONS|PERL5OPT|RUBYOPT|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|TAR_OPTIONS|ZIPOPT|LESS|GOFLAGS|(?:_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS|npm_config_node_options|SHELLOPTS|BASHOPTS)$/i;

const TOOLS = /^(?:CC|CXX|CPP|LD|AR|AS|FC|RANLIB|STRIP|NM|TAR|PYTHON|PERL|YACC|LEX|INSTALL)$/;
const HARMLESS_TOOL =
  /^(?:s?ccache )?(?:\/(?:usr\/(?:local\/)?)?bin\/)?(?:[\w-]+-)?(?:gcc|g\+\+|cc|c\+\+|cpp|clang|clang\+\+|tcc|gfortran|ld|lld|mold|ar|as|ranlib|strip|nm|tar|python[\d.]*|perl|bison|flex|install)(?:-[\d.]+)?$/;

const HARMLESS_PROGRAM = /^(?:|:|true|false|cat|less|more|0|1|\/dev\/null|\/bin\/(?:ba|z|)sh)$/;
const HARMLESS_OPTIONS = /^(?:--?[\w.,:=-]+ *)*$/;
const RUNNING_OPTION = /eval|require|import|loader|exec|prog|command|(?:^| )-[rMIF]|agent/i;

/** Whether the assignment may decide which program another command starts. */
export function choosesProgram(assignment: string, isFixed: boolean): boolean {
  const { name = '', value = '' } = /^(?<name>\w+)(?:\[[^\]]*\])?\+?=(?<value>.*)$/s.exec(assignment)?.groups ?? {};
  if (PROGRAMS.test(name)) return !isFixed || !HARMLESS_PROGRAM.test(value);
  if (TOOLS.test(name)) return !isFixed || !HARMLESS_TOOL.test(value);
  return OPTIONS.test(name) && (!isFixed || !HARMLESS_OPTIONS.test(value) || RUNNING_OPTION.test(value));
}

export function isProgramVariable(name: string): boolean {
  return PROGRAMS.test(name) || OPTIONS.test(name);
}
