@echo off
rem Tandem's one command, on Windows: finds a JDK 25 or later, builds what is missing or out of date, and runs.
rem
rem   TANDEM_JAVA_HOME    the JDK to use, instead of one found
rem   TANDEM_JDK_FOLDERS  folders that hold JDKs, separated by semicolons, instead of the usual ones
rem   TANDEM_JVM_ARGS     further JVM flags for the ranks
rem
rem tandem is the same for Linux and macOS.
setlocal EnableExtensions DisableDelayedExpansion
set "LEAST=25"
set "ROOT=%~dp0"
if "%ROOT:~-1%"=="\" set "ROOT=%ROOT:~0,-1%"
set "JDK="

if not defined TANDEM_JAVA_HOME goto search
call :try "%TANDEM_JAVA_HOME%"
if defined JDK goto found
>&2 echo [ERROR] TANDEM_JAVA_HOME=%TANDEM_JAVA_HOME% is no JDK %LEAST% or later; set it to one or unset it
exit /b 3

:search
if defined JAVA_HOME call :try "%JAVA_HOME%"
if defined JDK goto found
for /f "delims=" %%J in ('where java 2^>nul') do if not defined JDK call :tryjava "%%~fJ"
if defined JDK goto found
if defined TANDEM_JDK_FOLDERS goto given
for %%D in ("%ProgramFiles%\Java" "%ProgramFiles%\Eclipse Adoptium" "%ProgramFiles%\Microsoft" "%ProgramFiles%\Zulu" "%ProgramFiles%\BellSoft" "%ProgramFiles%\Amazon Corretto" "%ProgramFiles%\Semeru" "%LOCALAPPDATA%\Programs\Eclipse Adoptium" "%USERPROFILE%\.jdks" "%USERPROFILE%\scoop\apps") do call :folder "%%~D"
goto searched
:given
set "REST=%TANDEM_JDK_FOLDERS%"
:next
for /f "tokens=1* delims=;" %%A in ("%REST%") do (
    call :folder "%%~A"
    set "REST=%%B"
)
if defined REST goto next
:searched
if defined JDK goto found
>&2 echo [ERROR] no JDK %LEAST% or later found in JAVA_HOME, on the PATH, or in the usual folders; install one, for example Eclipse Temurin %LEAST% from https://adoptium.net, or set TANDEM_JAVA_HOME to one
exit /b 3

:found
set "JAVA=%JDK%\bin\java.exe"
"%JAVA%" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "%ROOT%\.build\BuildTandem.java" "%ROOT%" "%JDK%"
if errorlevel 1 exit /b %ERRORLEVEL%
"%JAVA%" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -cp "%ROOT%\samples\target\tandem\lib\*" dev.tandem.core.cli.Main %*
exit /b %ERRORLEVEL%

:folder
if not exist "%~1\" exit /b 0
for /d %%F in ("%~1\*") do if not defined JDK call :try "%%~fF"
exit /b 0

:tryjava
for %%P in ("%~dp1..") do call :try "%%~fP"
exit /b 0

rem Sets JDK to folder %1 if that is a JDK that is new enough.
:try
if not exist "%~1\bin\javac.exe" exit /b 0
if not exist "%~1\release" exit /b 0
set "FEATURE="
for /f "usebackq tokens=2 delims==" %%V in (`findstr /b /c:"JAVA_VERSION=" "%~1\release"`) do for /f "tokens=1 delims=.-+ " %%N in (%%V) do set "FEATURE=%%~N"
if not defined FEATURE exit /b 0
if %FEATURE% GEQ %LEAST% set "JDK=%~1"
exit /b 0
